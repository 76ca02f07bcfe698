import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyseNow } from './analyse.ts';
import { buildBlock } from './block.ts';

let threads = 0;
const count = (): void => void (threads += 1);
beforeAll(() => void process.on('worker', count));
afterAll(() => void process.off('worker', count));

test.each([
  ['short', 'We open at nine. ', 0],
  ['long', 'We open at nine. '.repeat(1000), 1],
])('a %s text is analysed alike, and only a long one in a thread of its own', async (_what, text, wanted) => {
  threads = 0;
  const sources = [{ id: 'src_00000000000000000000000000', title: 'Hours', text }];
  const { chunkCount, wordCount, languages } = buildBlock(sources);
  expect(await analyseNow()(sources)).toMatchObject({ chunkCount, wordCount, languages });
  expect(threads).toBe(wanted);
});
