import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { bugs, type Bug } from './planted-bugs/bugs.ts';

/** The parts of the tree needed to run tests in it. */
const parts = [
  'src',
  'test',
  'docs',
  'scripts',
  'bench',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  '.oxlintrc.json',
];
const MOST_MS = 10 * 60_000;

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(path.join(os.tmpdir(), 'parley-planted-'));
  for (const part of parts) await cp(part, path.join(copy, part), { recursive: true });
  for (const part of ['node_modules', 'dist']) await symlink(path.resolve(part), path.join(copy, part));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** The number of named tests that fail in the copy's current state. */
async function failures({ tests, named, env }: Pick<Bug, 'tests' | 'named' | 'env'>): Promise<number> {
  const report = path.join(copy, 'report.json');
  await rm(report, { force: true });
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--bail=1',
    ...tests,
  ];
  if (named) args.push('-t', named);
  const child = spawn(process.execPath, args, {
    cwd: copy,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATABASE_URL: inject('databaseUrl'),
      ...env,
    },
    timeout: MOST_MS,
  });
  await new Promise((resolve) => child.on('exit', resolve));
  const counts = JSON.parse(await readFile(report, 'utf8')) as Record<string, number>;
  const { numFailedTests = 0, numFailedTestSuites = 0, numPassedTests = 0 } = counts;
  // A name that matches no test would test nothing.
  expect(numFailedTests + numFailedTestSuites + numPassedTests).toBeGreaterThan(0);
  return Math.max(numFailedTests, numFailedTestSuites);
}

/** Runs `work` while the file has a different text. */
async function changed(
  file: string,
  change: (text: string) => string,
  work: () => Promise<void>,
): Promise<void> {
  const address = path.join(copy, file);
  const text = await readFile(address, 'utf8');
  try {
    await writeFile(address, change(text));
    await work();
  } finally {
    await writeFile(address, text);
  }
}

/** The same for several files. */
async function allChanged(
  [file, ...others]: string[],
  change: (text: string) => string,
  work: () => Promise<void>,
): Promise<void> {
  if (file === undefined) return work();
  await changed(file, change, () => allChanged(others, change, work));
}

const planted = (changes: Bug['changes']) => (text: string) =>
  changes.reduce((changed, { find, put }) => {
    expect([find, text.split(find).length - 1]).toEqual([find, 1]);
    return changed.replace(find, () => put);
  }, text);

test.each(bugs)('$what: $tests', async (bug) => {
  await changed(bug.file, planted(bug.changes), async () => {
    expect(await failures(bug)).toBeGreaterThan(0);
  });
});

/** A required role in the code that answers calls. Reading needs the least. */
const asked = /'(?:agent\.write|organization\.manage|organization\.own)'/g;
const doors = globSync('src/server/features/**/*handlers.ts').toSorted();

describe('the matrix detects calls whose role check was removed', async () => {
  const found: string[] = [];
  for (const file of doors) {
    const text = await readFile(file, 'utf8');
    if (/\bin(?:Organization|OrganizationAlone|Agent)\(/.test(text) && asked.test(text)) found.push(file);
    asked.lastIndex = 0;
  }

  test.each(found)('%s', async (file) => {
    const open = (text: string) => text.replace(asked, "'organization.read'");
    // The files next to them may check again.
    const beside = globSync(path.join(path.dirname(file), '*.ts')).filter((other) => !doors.includes(other));
    await allChanged([file, ...beside], open, async () => {
      expect(await failures({ tests: ['test/access/access.test.ts'] })).toBeGreaterThan(0);
    });
  });
});
