import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

/**
 * `npm test`: checks, area tests on the real application and a real PostgreSQL, journeys in a real browser. Installs
 * Debian's Chromium, Redis, nginx and iproute2 when they are missing. The last line is `N passed, N failed`, over everything that was run.
 */
/** What Debian has that tests need: a browser, and what a cluster is made of, by the file that shows that it is there. */
const packages = [
  { file: '/usr/bin/chromium', names: ['chromium', 'fonts-dejavu-core'] },
  { file: '/usr/bin/redis-server', names: ['redis-server'] },
  { file: '/usr/sbin/nginx', names: ['nginx-light'] },
  { file: '/usr/sbin/ip', names: ['iproute2'] },
];
const results = 'test-results';

interface Counts {
  passed: number;
  failed: number;
}

function run(label: string, program: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n== ${label}`);
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return status === 0;
}

/** Without them some tests fail, and say why. */
function installPackages(): void {
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

function countVitest(file: string): Counts {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numFailedTestSuites: number;
  };
  const { numPassedTests: passed, numFailedTests, numFailedTestSuites } = report;
  return { passed, failed: Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0) };
}

/** A journey that passes only the second time has passed, and is told of: it is to be mended. */
function countPlaywright(file: string): Counts {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { stats } = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number };
  };
  if (stats.flaky > 0) console.log(`\n${stats.flaky} journeys passed only the second time (flaky, above).`);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const node = process.execPath;
const steps: Counts[] = [];
const check = run('Checks', node, ['scripts/check.ts']);
steps.push({ passed: check ? 1 : 0, failed: check ? 0 : 1 });

installPackages();
const unit = `${results}/vitest.json`;
const unitPassed = run('Area tests', node, [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unit}`,
]);
steps.push(countVitest(unit));

const journeys = `${results}/playwright.json`;
const browserPassed = run(
  'Journeys in Chromium',
  node,
  ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
  { PLAYWRIGHT_JSON_OUTPUT_NAME: journeys },
);
steps.push(countPlaywright(journeys));

const passed = steps.reduce((sum, step) => sum + step.passed, 0);
const counted = steps.reduce((sum, step) => sum + step.failed, 0);
// A runner that failed without a failed test, by an unhandled error for instance, is a failure all the same.
const failed = counted === 0 && !(check && unitPassed && browserPassed) ? 1 : counted;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
