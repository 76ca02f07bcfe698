import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian packages, with the file that shows they are installed. */
export interface Package {
  file: string;
  names: string[];
}

/** Installs what is missing, if permissions allow. Without them some tests fail, and say why. */
export function installPackages(packages: readonly Package[]): void {
  const missing = packages.filter(({ file }) => !existsSync(file)).flatMap(({ names }) => names);
  if (missing.length === 0) return;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (args: string[]): boolean => {
    const [program = 'apt-get', ...rest] = [...sudo, 'apt-get', ...args];
    return (
      spawnSync(program, rest, {
        stdio: ['ignore', 'ignore', 'inherit'],
        // Services installed for tests aren't started: the tests start their own.
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      }).status === 0
    );
  };
  console.log(`\n== Installing ${missing.join(', ')}`);
  if (apt(['update', '-qq'])) apt(['install', '-y', '-qq', '--no-install-recommends', ...missing]);
}
