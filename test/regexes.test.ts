import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from '@babel/parser';
import { checkSync } from 'recheck';
import { expect, test } from 'vitest';

interface Found {
  place: string;
  pattern: string;
  flags: string;
}

async function regexesOf(folder: string): Promise<Found[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|testing|gen)\./.test(entry.name),
    )
    .map((entry) => path.join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => regexesIn(file, await readFile(file, 'utf8'))));
  return found.flat();
}

function regexesIn(file: string, source: string): Found[] {
  const tokens = parse(source, {
    sourceType: 'module',
    plugins: ['typescript', ...(file.endsWith('x') ? (['jsx'] as const) : [])],
    tokens: true,
  }).tokens as {
    type: { label?: string };
    value: { pattern: string; flags: string };
    loc: { start: { line: number } };
  }[];
  return tokens
    .filter(({ type }) => type.label === 'regexp')
    .map(({ value, loc }) => ({ place: `${file}:${loc.start.line}`, ...value }));
}

const regexes = await regexesOf('src');
/** Each once, however often it occurs, with its locations. */
const distinct = Map.groupBy(regexes, ({ pattern, flags }) => `/${pattern}/${flags}`);

test('none of our regular expressions can take exponential or polynomial time', { timeout: 300_000 }, () => {
  // If the files were not read, the rest would hold trivially.
  expect(regexes.length).toBeGreaterThan(100);
  const bad = [...distinct].flatMap(([regex, found]) => {
    const { pattern = '', flags = '' } = found[0] ?? {};
    const checked = checkSync(pattern, flags, { timeout: 2000 });
    const places = found.map(({ place }) => place).join(', ');
    return checked.status === 'vulnerable' ? [`${places} ${regex} ${checked.complexity.summary}`] : [];
  });
  expect(bad).toEqual([]);
});

test('the check finds a vulnerable one', () => {
  expect(checkSync(String.raw`^(\s|\n)*$`, '').status).toBe('vulnerable');
});
