import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { analyseNow } from './analyse.ts';
import { buildBlock } from './block.ts';

/** What this process has started and what has not ended yet. */
function children(): Set<string> {
  const tasks = readdirSync('/proc/self/task');
  return new Set(
    tasks.flatMap((task) =>
      readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    ),
  );
}

const sourcesOf = (text: string) => [{ id: 'src_00000000000000000000000000', title: 'Hours', text }];

test('short texts are analysed in one process, which may be there already, and long ones in one each', async () => {
  const [short = [], long = []] = ['We open at nine. ', 'We open at nine. '.repeat(1000)].map(sourcesOf);
  for (const sources of [short, long]) {
    const { chunkCount, wordCount, languages } = buildBlock(sources);
    // Others, which may end meanwhile.
    const before = children();
    const seen: Set<string>[] = [];
    for (let time = 0; time < 2; time += 1) {
      const analysed = analyseNow()(sources);
      seen.push(children());
      expect(await analysed).toMatchObject({ chunkCount, wordCount, languages });
    }
    const [first = new Set(), second = new Set()] = seen;
    expect(first.difference(second).difference(before).size).toBe(sources === short ? 0 : 1);
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
  expect([...reached].some((file) => file.endsWith('index/analyse.ts'))).toBe(true);
  expect([...reached].filter((file) => file.endsWith('analyze/detect.ts'))).toEqual([]);
});
