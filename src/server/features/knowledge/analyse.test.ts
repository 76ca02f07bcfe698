import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyseNow } from './analyse.ts';
import { buildBlock } from './block.ts';

let threads = 0;
const count = (): void => void (threads += 1);
beforeAll(() => void process.on('worker', count));
afterAll(() => void process.off('worker', count));

test.each([
  ['short', 'We open at nine. ', 1],
  ['long', 'We open at nine. '.repeat(1000), 2],
])('a %s text is analysed in a thread, and short ones in the same', async (_what, text, wanted) => {
  threads = 0;
  const sources = [{ id: 'src_00000000000000000000000000', title: 'Hours', text }];
  const { chunkCount, wordCount, languages } = buildBlock(sources);
  for (let time = 0; time < 2; time += 1)
    expect(await analyseNow()(sources)).toMatchObject({ chunkCount, wordCount, languages });
  expect(threads).toBe(wanted);
});

test('what serves people does not hold the tables by which languages are told, 27 MB of them', () => {
  const reached = new Set<string>();
  const reach = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, kind, from = ''] of source.matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']+)'/gm))
      if (!kind) reach(path.resolve(path.dirname(file), from));
  };
  reach(path.resolve('src/server/main.ts'));
  expect([...reached].some((file) => file.endsWith('knowledge/analyse.ts'))).toBe(true);
  expect([...reached].filter((file) => file.endsWith('analyze/detect.ts'))).toEqual([]);
});
