import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { chromiumPath } from '../test/chromium.ts';
import { unpackDebianPostgres } from './debian-postgres.ts';
import { installPackages, type Package } from './debian.ts';

/**
 * `npm test`: checks, area tests on the real application and a real PostgreSQL, and journeys in a real browser.
 * Installs Debian's Chromium, Redis, nginx, iproute2 and mmdebstrap when they are missing, and unpacks a PostgreSQL
 * with pgvector. The last line is `N passed, N failed`, over everything that ran.
 */

/** What tests need: a browser, and the parts of a cluster. */
const packages: Package[] = [
  { file: chromiumPath, names: ['chromium-headless-shell', 'fonts-dejavu-core'] },
  { file: '/usr/bin/redis-server', names: ['redis-server'] },
  { file: '/usr/sbin/nginx', names: ['nginx-light'] },
  { file: '/usr/sbin/ip', names: ['iproute2'] },
  { file: '/usr/bin/mmdebstrap', names: ['mmdebstrap'] },
];
const results = 'test-results';
/** If more files than this fail, it isn't by chance. */
const SECOND_TRY_MAX = 4;
/** Repeated at the end. */
const told: string[] = [];

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

/** The parts of vitest's report that are read. */
interface FileResult {
  name: string;
  status: string;
  message: string;
  assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
}
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: FileResult[];
}

function readReport(file: string): Report | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
}

/** A file's failures, each test with the start of its reason: printed at the end of a long run, where people look for it. */
function describeFailures({ name, message, assertionResults }: FileResult): string[] {
  const tests = assertionResults.filter(({ status }) => status === 'failed');
  const described = tests.map(({ fullName, failureMessages = [] }) => ({
    what: fullName,
    why: failureMessages.join('\n'),
  }));
  return (described.length > 0 ? described : [{ what: 'the whole file', why: message }]).map(
    ({ what, why }) =>
      `Failed: ${name}: ${what}\n${why
        .split('\n')
        .slice(0, 40)
        .map((line) => line.slice(0, 1000))
        .join('\n')}`,
  );
}

function runVitest(label: string, file: string, args: string[] = []): boolean {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
  return run(label, process.execPath, [...vitest, `--outputFile.json=${file}`, ...args]);
}

/**
 * If only a few files fail, they run a second time, one after the other: as with journeys, a test that passes only then
 * counts as passed and is reported, because it needs fixing. A test that fails twice has failed, as does everything
 * when many files failed.
 */
function runAreaTests(): Counts {
  const file = `${results}/vitest.json`;
  const hasPassed = runVitest('Area tests', file);
  const first = readReport(file);
  if (first === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests: passed, numFailedTests: failed, testResults } = first;
  if (hasPassed) return { passed, failed };
  const failures = testResults.filter(({ status }) => status === 'failed');
  told.push(...failures.flatMap(describeFailures));
  // Without a failed test, it was an unhandled error, which belongs to no file.
  if (failures.length === 0 || failures.length > SECOND_TRY_MAX)
    return { passed, failed: Math.max(failed, 1) };
  const again = `${results}/vitest-again.json`;
  const names = failures.map(({ name }) => name);
  if (!runVitest('Failed area tests, second try', again, ['--maxWorkers=1', ...names]))
    return { passed, failed: Math.max(readReport(again)?.numFailedTests ?? 0, 1) };
  told.push(`${failures.length} area test files passed only on the second try (flaky, above).`);
  const passedBefore = failures
    .flatMap((result) => result.assertionResults)
    .filter(({ status }) => status === 'passed');
  return { passed: passed - passedBefore.length + (readReport(again)?.numPassedTests ?? 0), failed: 0 };
}

/**
 * A journey that passes only on the second try counts as passed and is reported: it needs fixing. If the runner failed
 * without a failed journey, through an error outside of them, that still counts as a failure.
 */
function countPlaywright(file: string, hasPassed: boolean): Counts {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const { stats } = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number };
  };
  if (stats.flaky > 0) told.push(`${stats.flaky} journeys passed only on the second try (flaky, above).`);
  return {
    passed: stats.expected + stats.flaky,
    failed: hasPassed ? stats.unexpected : Math.max(stats.unexpected, 1),
  };
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const node = process.execPath;
const steps: Counts[] = [];
const check = run('Checks', node, ['scripts/check.ts']);
steps.push({ passed: check ? 1 : 0, failed: check ? 0 : 1 });

installPackages(packages);
unpackDebianPostgres();
steps.push(runAreaTests());

const journeys = `${results}/playwright.json`;
const journeysPassed = run(
  'Journeys in Chromium',
  node,
  ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
  { PLAYWRIGHT_JSON_OUTPUT_NAME: journeys },
);
steps.push(countPlaywright(journeys, journeysPassed));

const passed = steps.reduce((sum, step) => sum + step.passed, 0);
const failed = steps.reduce((sum, step) => sum + step.failed, 0);
console.log(`\n${[...told, `${passed} passed, ${failed} failed`].join('\n\n')}`);
process.exit(failed === 0 ? 0 : 1);
