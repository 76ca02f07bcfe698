import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The number of cases in each chapter of the attack list. */
const chapters = {
  A: 18,
  B: 14,
  C: 17,
  D: 10,
  E: 10,
  F: 9,
  G: 12,
  H: 9,
  I: 7,
  J: 6,
  K: 8,
  L: 9,
  M: 9,
  N: 6,
  O: 6,
  P: 6,
  Q: 5,
};
const cases = Object.entries(chapters).flatMap(([chapter, count]) =>
  Array.from({ length: count }, (_none, index) => `${chapter}${index + 1}`),
);

/** The rows of all tables: the cases at the start of each row, and the text about them. */
const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, names = '', said = ''] = /^\| ([^|]*) \| (.*) \|$/.exec(line) ?? [];
    const named = /^((?:[A-Q]\d+(?:, )?)+)\b/.exec(names)?.[1]?.split(', ') ?? [];
    return said === '' ? [] : [{ line, named, said }];
  });
const files = globSync(['src/**/*.{test,torture}.{ts,tsx}', 'test/**/*.{test,e2e,torture}.ts']);
const testsIn = (said: string) =>
  [...said.matchAll(/`([\w./-]+\.(?:test|e2e|torture)\.tsx?)`/g)].map(([, file = '']) => file);

test('there are 161 cases, each with a row', () => {
  expect(cases).toHaveLength(161);
  const answered = new Set(rows.flatMap(({ named }) => named));
  expect(cases.filter((name) => !answered.has(name))).toEqual([]);
  expect([...answered].filter((name) => !cases.includes(name) && /^[A-Q]\d+$/.test(name))).toEqual([]);
});

test('every named test exists', () => {
  const named = rows.flatMap(({ said }) => testsIn(said));
  expect(named.length).toBeGreaterThan(150);
  const missing = named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});

test('each row names a test or says why there is none', () => {
  const empty = rows.filter(({ named, said }) => {
    return (
      named.length > 0 && testsIn(said).length === 0 && said.replaceAll(/`[^`]*`/g, '').trim().length < 40
    );
  });
  expect(empty.map(({ line }) => line)).toEqual([]);
});
