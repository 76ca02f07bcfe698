import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyseNow } from './analyse.ts';
import { buildBlock } from './block.ts';

let threads = 0;
const count = (): void => void (threads += 1);
beforeAll(() => void process.on('worker', count));
afterAll(() => void process.off('worker', count));

const sourcesOf = (text: string) => [{ id: 'src_00000000000000000000000000', title: 'Hours', text }];

test('short texts are analysed in one thread, which may be there already, and long ones in one each', async () => {
  const [short, long] = ['We open at nine. ', 'We open at nine. '.repeat(1000)].map(sourcesOf);
  for (const sources of [short ?? [], long ?? []]) {
    threads = 0;
    const { chunkCount, wordCount, languages } = buildBlock(sources);
    for (let time = 0; time < 2; time += 1)
      expect(await analyseNow()(sources)).toMatchObject({ chunkCount, wordCount, languages });
    if (sources === short) expect(threads).toBeLessThan(2);
    else expect(threads).toBe(2);
  }
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
