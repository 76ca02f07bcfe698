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
const node = process.execPath;
/** If more files than this fail, it isn't by chance. */
const SECOND_TRY_MAX = 12;
/** Repeated at the end. */
const told: string[] = [];

interface Counts {
  passed: number;
  failed: number;
}

interface FileOutcome extends Counts {
  name: string;
  /** Of each failure, what failed and the start of its reason. */
  failures: string[];
}

/** `hasPassed` is false as well after an error that belongs to no file. */
interface Outcome {
  hasPassed: boolean;
  files: FileOutcome[];
}

function run(label: string, program: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n== ${label}`);
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return status === 0;
}

function readReport<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

/** Printed at the end of a long run, where people look for it. */
const describeFailure = (file: string, test: string, reason: string): string =>
  `Failed: ${file}: ${test}\n${reason
    .split('\n')
    .slice(0, 40)
    .map((line) => line.slice(0, 1000))
    .join('\n')}`;

/** The parts of vitest's report that are read. */
interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

/** The second one is limited to some files. */
const tryOf = (only: string[]): string => (only.length > 0 ? 'second' : 'first');

/** Without `only`, all of them, as many at a time as the machine has room for; otherwise these files, one by one. */
function runAreaTests(label: string, only: string[]): Outcome | undefined {
  const file = `${results}/vitest-${tryOf(only)}.json`;
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
  const which = only.length > 0 ? ['--maxWorkers=1', ...only] : [];
  const hasPassed = run(label, node, [...vitest, `--outputFile.json=${file}`, ...which]);
  const report = readReport<VitestReport>(file);
  return report && { hasPassed, files: report.testResults.map(vitestFile) };
}

function vitestFile({
  name,
  status,
  message,
  assertionResults,
}: VitestReport['testResults'][0]): FileOutcome {
  const failures = assertionResults
    .filter((result) => result.status === 'failed')
    .map(({ fullName, failureMessages = [] }) => describeFailure(name, fullName, failureMessages.join('\n')));
  if (status === 'failed' && failures.length === 0)
    failures.push(describeFailure(name, 'the whole file', message));
  const passed = assertionResults.filter((result) => result.status === 'passed').length;
  return { name, passed, failed: failures.length, failures };
}

/** The parts of Playwright's report that are read. */
interface PlaywrightReport {
  suites: PlaywrightSuite[];
}
interface PlaywrightSuite {
  file: string;
  specs: { title: string; tests: { status: string; results: { error?: { message?: string } }[] }[] }[];
  suites?: PlaywrightSuite[];
}

/** Without `only`, all of them, several at a time; otherwise these files, one by one. */
function runJourneys(label: string, only: string[]): Outcome | undefined {
  // Playwright empties its folder when it starts.
  const folder = `${results}/journeys-${tryOf(only)}`;
  const file = `${results}/playwright-${tryOf(only)}.json`;
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'];
  const which = only.length > 0 ? ['--workers=1', ...only] : [];
  const hasPassed = run(label, node, [...playwright, `--output=${folder}`, ...which], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  const report = readReport<PlaywrightReport>(file);
  return report && { hasPassed, files: report.suites.map(playwrightFile) };
}

function playwrightFile(suite: PlaywrightSuite): FileOutcome {
  const name = `test/e2e/${suite.file}`;
  const specs = specsOf(suite);
  const failures = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map((test) => describeFailure(name, title, test.results.at(-1)?.error?.message ?? '')),
  );
  const passed = specs.flatMap(({ tests }) => tests).filter(({ status }) => status === 'expected').length;
  return { name, passed, failed: failures.length, failures };
}

const specsOf = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(specsOf),
];

const total = (files: readonly FileOutcome[]): Counts => ({
  passed: files.reduce((sum, { passed }) => sum + passed, 0),
  failed: files.reduce((sum, { failed }) => sum + failed, 0),
});

/**
 * If only a few files fail, they run a second time, whole and one after the other, because later tests of a file may
 * build on earlier ones. What passes only then counts as passed and is reported, because it needs fixing. What fails
 * twice has failed, as has everything when many files failed.
 */
function runTwice(label: string, runThem: (label: string, only: string[]) => Outcome | undefined): Counts {
  const first = runThem(label, []);
  if (first === undefined) return { passed: 0, failed: 1 };
  const { passed, failed } = total(first.files);
  if (first.hasPassed) return { passed, failed };
  const failures = first.files.filter((file) => file.failed > 0);
  told.push(...failures.flatMap((file) => file.failures));
  if (failures.length === 0 || failures.length > SECOND_TRY_MAX)
    return { passed, failed: Math.max(failed, 1) };
  const second = runThem(
    `${label}, second try`,
    failures.map(({ name }) => name),
  );
  if (!second?.hasPassed) return { passed, failed: Math.max(total(second?.files ?? []).failed, 1) };
  told.push(`${failures.length} files of ${label} passed only on the second try (flaky, above).`);
  return { passed: passed - total(failures).passed + total(second.files).passed, failed: 0 };
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const steps: Counts[] = [];
const check = run('Checks', node, ['scripts/check.ts']);
steps.push({ passed: check ? 1 : 0, failed: check ? 0 : 1 });

installPackages(packages);
unpackDebianPostgres();
steps.push(runTwice('Area tests', runAreaTests), runTwice('Journeys in Chromium', runJourneys));

const passed = steps.reduce((sum, step) => sum + step.passed, 0);
const failed = steps.reduce((sum, step) => sum + step.failed, 0);
console.log(`\n${[...told, `${passed} passed, ${failed} failed`].join('\n\n')}`);
process.exit(failed === 0 ? 0 : 1);
