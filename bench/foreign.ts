import path from 'node:path';
import { parseArgs } from 'node:util';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { foundInAnyLanguage, readerIn, search } from '../src/server/features/knowledge/search.ts';
import type { ModelChain } from '../src/server/llm/models.ts';
import { nothingTraced } from '../src/server/observe/traces.ts';
import { printTable } from './report.ts';
import { giveDocuments, makeItem, openBenchDatabase } from './retrieval-agent.ts';
import { readCollection, requireFolder, type Collection } from './retrieval-collection.ts';
import { judge, mean } from './retrieval-metrics.ts';

/**
 * Questions in another language than the texts: `node bench/foreign.ts --collections <folder of collections>`. The
 * collections have the same questions in several languages, so that their own translation takes the place of the model:
 * a perfect one. Reported for every pair of languages: how many questions were translated, and what was found for all of
 * them as they stand, with translation where it was asked for, and in the language of the texts.
 */
const { values } = parseArgs({
  options: {
    collections: { type: 'string' },
    names: { type: 'string', default: 'xquad-en,xquad-de,xquad-zh' },
  },
});
const folder = requireFolder(values.collections);
const DEPTH = 4;

/** A model that always says the same. */
function saying(text: string): ModelChain {
  const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' } } as const;
  const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } };
  const parts = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: text },
    { ...finish, usage },
  ] as LanguageModelV4StreamPart[];
  const model = { doStream: async () => ({ stream: streamOf(parts) }) };
  const circuit = { mayTry: () => true, succeeded: () => undefined, failed: () => undefined };
  const resolved = { name: 'bench', model: model as unknown as LanguageModelV4, circuit, price: undefined };
  return { models: [resolved], patience: { silenceMs: 10_000, wordlessMs: 10_000 } };
}

function streamOf(parts: LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

const bench = await openBenchDatabase();
try {
  const collections: Collection[] = [];
  for (const name of values.names.split(',')) collections.push(await readCollection(path.join(folder, name)));
  const rows = [];
  for (const texts of collections) {
    const item = await makeItem(bench.database);
    const sourceIds = await giveDocuments(bench.database, item, texts.documents);
    const documentOf = new Map(sourceIds.map((id, at) => [id, texts.documents[at]?.id ?? '']));
    const find = async (question: string) => {
      const { passages, support } = await bench.database.in(item, (tx) =>
        search(readerIn(tx, item), question, { limit: DEPTH }),
      );
      return {
        documents: [...new Set(passages.map(({ sourceId }) => documentOf.get(sourceId) ?? ''))],
        support,
      };
    };
    const own = new Map(texts.queries.map(({ id, text }) => [id, text]));
    for (const asked of collections) rows.push(await measure(texts, asked, { item, find, own }));
  }
  printTable(rows);
} finally {
  await bench.close();
}

interface Searching {
  item: Awaited<ReturnType<typeof makeItem>>;
  find: (question: string) => Promise<{ documents: string[]; support: number }>;
  /** The questions in the language of the texts, by id. */
  own: Map<string, string>;
}

async function measure(texts: Collection, asked: Collection, { item, find, own }: Searching) {
  const deps = { traces: nothingTraced };
  const languages = () => bench.database.in(item, (tx) => readerIn(tx, item).languages());
  const translating = { signal: new AbortController().signal, onError: () => undefined };
  const found = { asItStands: [] as number[], translated: [] as number[], inTheirs: [] as number[] };
  let translations = 0;
  for (const { id, text, judgements } of asked.queries) {
    const chain = saying(own.get(id) ?? '');
    const first = await find(text);
    const question = { text, earlier: [], found: first, isRefused: first.support < 0.2, chain };
    const { best, translation } = await foundInAnyLanguage(deps, { languages }, question, find, translating);
    if (translation) translations += 1;
    const recall = ({ documents }: typeof best) => judge(documents, judgements).recall10;
    found.asItStands.push(recall(first));
    found.translated.push(recall(best));
    found.inTheirs.push(recall(await find(own.get(id) ?? '')));
  }
  return {
    texts: texts.name,
    asked: asked.name,
    translated: translations / asked.queries.length,
    'recall@4 as it stands': mean(found.asItStands),
    'with translation': mean(found.translated),
    'asked in their language': mean(found.inTheirs),
  };
}
