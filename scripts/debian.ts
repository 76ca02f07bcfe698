import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Packages of Debian, by the file that shows that they are there. */
export interface Package {
  file: string;
  names: string[];
}

/** Installs what is missing, where it may. Without it some tests fail, and say why. */
export function installPackages(packages: readonly Package[]): void {
  const missing = packages.filter(({ file }) => !existsSync(file)).flatMap(({ names }) => names);
  if (missing.length === 0) return;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (args: string[]): boolean => {
    const [program = 'apt-get', ...rest] = [...sudo, 'apt-get', ...args];
    return (
      spawnSync(program, rest, {
        stdio: ['ignore', 'ignore', 'inherit'],
        // A service that is installed for tests is not started: they start their own.
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      }).status === 0
    );
  };
  console.log(`\n== Installing ${missing.join(', ')}`);
  if (apt(['update', '-qq'])) apt(['install', '-y', '-qq', '--no-install-recommends', ...missing]);
}
