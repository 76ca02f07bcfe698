import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { installPackages, type Package } from './debian.ts';

/**
 * `npm run test:torture`: every `<part>.torture.ts` under `test/torture` and `src`, one after the other; with names,
 * only those parts (`npm run test:torture -- fuzz planted-bugs`). The last line is `N passed, N failed`; a part that
 * ran no test counts as failed.
 */

/** What the parts need from Debian; installed when missing. */
const packages: Package[] = [
  { file: '/usr/bin/redis-server', names: ['redis-server'] },
  { file: '/usr/sbin/nginx', names: ['nginx-light'] },
  { file: '/usr/sbin/ip', names: ['iproute2'] },
  { file: '/usr/bin/sqlmap', names: ['sqlmap'] },
  { file: '/usr/bin/wapiti', names: ['wapiti'] },
  { file: '/usr/bin/ffuf', names: ['ffuf'] },
  { file: '/usr/share/dirb/wordlists/common.txt', names: ['dirb'] },
  { file: '/usr/bin/soffice', names: ['libreoffice-calc-nogui'] },
];
const suffix = '.torture.ts';
const results = 'test-results/torture';

interface Counts {
  passed: number;
  failed: number;
}

function partsOf(files: string[]): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  for (const file of files) {
    const part = basename(file, suffix);
    parts.set(part, [...(parts.get(part) ?? []), file]);
  }
  return parts;
}

function counted(report: string, exited: boolean): Counts {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
    };
    const silent = numPassedTests + numFailedTests === 0 || (!exited && numFailedTests === 0);
    return { passed: numPassedTests, failed: numFailedTests + (silent ? 1 : 0) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

function runPart(part: string, files: string[]): Counts {
  console.log(`\n== ${part}`);
  const report = `${results}/${part}.json`;
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=vitest.torture.config.ts',
      '--reporter=verbose',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return counted(report, status === 0);
}

const parts = partsOf(globSync(['test/torture/**/*.torture.ts', 'src/**/*.torture.ts']).toSorted());
const named = process.argv.slice(2);
const unknown = named.filter((part) => !parts.has(part));
if (unknown.length > 0 || parts.size === 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Parts: ${[...parts.keys()].join(', ')}`);
  process.exit(2);
}
installPackages(packages);
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const counts = [...parts]
  .filter(([part]) => named.length === 0 || named.includes(part))
  .map(([part, files]) => ({ part, ...runPart(part, files) }));

console.log();
for (const { part, passed, failed } of counts)
  console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${part}: ${passed} passed, ${failed} failed`);
const passed = counts.reduce((sum, part) => sum + part.passed, 0);
const failed = counts.reduce((sum, part) => sum + part.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
