import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { analyseCut, analyseNow } from './analyse.ts';
import { buildBlock, type BuiltBlock } from './block.ts';

/** What this process has started and is still running. */
function children(): Set<string> {
  const tasks = readdirSync('/proc/self/task');
  return new Set(
    tasks.flatMap((task) =>
      readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    ),
  );
}

const sourcesOf = (text: string) => [{ id: 'src_00000000000000000000000000', title: 'Hours', text }];

const hours = 'We open at nine. ';

/** The processes from a first run that are gone after a second one. */
async function endedAfter(analyse: () => Promise<BuiltBlock>, expected: Partial<BuiltBlock>) {
  // Others, which may end meanwhile.
  const before = children();
  const seen: Set<string>[] = [];
  for (let time = 0; time < 2; time += 1) {
    const analysed = analyse();
    seen.push(children());
    expect(await analysed).toMatchObject(expected);
  }
  const [first = new Set(), second = new Set()] = seen;
  return first.difference(second).difference(before).size;
}

test.each([
  ['short', hours, 0],
  ['long', hours.repeat(1000), 1],
])(
  '%s texts are analyzed in one process, possibly an existing one, or in one each',
  async (_length, text, ended) => {
    const sources = sourcesOf(text);
    const { chunkCount, wordCount, languages } = buildBlock(sources);
    const expected = { chunkCount, wordCount, languages };
    expect(await endedAfter(() => analyseNow()(sources), expected)).toBe(ended);
  },
);

test.each([
  ['short', 'stays for the next ones', hours, 0],
  ['long', 'ends', hours.repeat(1000), 1],
])('the process that analyzed %s passages cut elsewhere %s', async (_length, _what, text, ended) => {
  const place = { ordinal: 0, headingPath: [], page: null, offset: 0 };
  const ids = { id: 'chk_00000000000000000000000000', sourceId: 'src_00000000000000000000000000' };
  const block = { passages: [{ ...place, ...ids, title: 'Hours', language: 'en', text }], languages: {} };
  expect(await endedAfter(() => analyseCut(block), { chunkCount: 1 })).toBe(ended);
});

test('the serving process does not load the 27 MB of language detection tables', () => {
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
