import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bugs } from './bugs.ts';

test.each(bugs)('$what: can be planted, and its tests exist', async ({ file, changes, tests }) => {
  const text = await readFile(file, 'utf8');
  for (const { find } of changes) expect([find, text.split(find).length - 1]).toEqual([find, 1]);
  for (const named of tests) expect(await readFile(named, 'utf8')).not.toBe('');
});
