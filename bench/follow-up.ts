import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Database } from '../src/server/db/scope.ts';
import type { ItemKey } from '../src/server/features/knowledge/keys.ts';
import { readerIn, search } from '../src/server/features/knowledge/search.ts';
import { giveDocuments, makeItem, openBenchDatabase } from './retrieval-agent.ts';
import { readCollection, requireFolder } from './retrieval-collection.ts';
import { judge, mean } from './retrieval-metrics.ts';
import { printTable } from './report.ts';

/**
 * How the preceding question affects a question, in conversations built from a public collection: `node
 * bench/follow-up.ts --collections <folder of collections> [--only xquad-en]`. Short questions either follow one about
 * another document (`change of subject`) or follow one about the same document without repeating its names
 * (`follow-up`: "How many points did the defense surrender?"). Each is asked alone and with the preceding question.
 */
const { values } = parseArgs({
  options: { collections: { type: 'string' }, only: { type: 'string', default: 'xquad-en' } },
});
const folder = requireFolder(values.collections);
const DEPTH = 12;
/** Longer questions are searched alone, whatever came before. */
const SHORT_WORDS = 9;

interface Asked {
  text: string;
  before: string;
  judgements: Parameters<typeof judge>[1];
}

/** Drops the names inside a question, as people do when they continue a conversation. */
function withoutNames(text: string): string {
  return text.replaceAll(/(?<=\s)(\p{Lu}[\p{L}\d'’-]*|\d+)\s*/gu, '').trim();
}

const bench = await openBenchDatabase();
try {
  const collection = await readCollection(path.join(folder, values.only));
  const item = await makeItem(bench.database);
  const sourceIds = await giveDocuments(bench.database, item, collection.documents);
  const documentOf = new Map(sourceIds.map((id, at) => [id, collection.documents[at]?.id ?? '']));
  const documentsOf = (at: number) => [...(collection.queries[at]?.judgements.keys() ?? [])].join(' ');
  const changes: Asked[] = [];
  const follows: Asked[] = [];
  for (const [at, { text, judgements }] of collection.queries.entries()) {
    const previous = collection.queries[at - 1];
    const stranger = collection.queries[(at + 100) % collection.queries.length];
    if (text.split(' ').length <= SHORT_WORDS && stranger)
      changes.push({ text, before: stranger.text, judgements });
    if (previous && documentsOf(at) === documentsOf(at - 1) && withoutNames(text) !== text)
      follows.push({ text: withoutNames(text), before: previous.text, judgements });
  }
  printTable([
    await measure('change of subject', 'alone', changes, false),
    await measure('change of subject', 'after another question', changes, true),
    await measure('follow-up', 'alone', follows, false),
    await measure('follow-up', 'after another question', follows, true),
  ]);

  async function measure(what: string, asked: string, questions: Asked[], isAfter: boolean) {
    const qualities = [];
    const first = [];
    for (const { text, before, judgements } of questions) {
      const found = await rank(bench.database, item, text, isAfter ? [before] : []);
      const documents = found.map((id) => documentOf.get(id) ?? '');
      qualities.push(judge(documents, judgements));
      first.push(judge(documents.slice(0, 4), judgements).recall10);
    }
    return {
      what,
      asked,
      questions: questions.length,
      'recall@4': mean(first),
      'recall@10': mean(qualities.map(({ recall10 }) => recall10)),
      'MRR@10': mean(qualities.map(({ mrr10 }) => mrr10)),
    };
  }
} finally {
  await bench.close();
}

async function rank(database: Database, item: ItemKey, text: string, history: string[]): Promise<string[]> {
  const { passages } = await database.in({ organizationId: item.organizationId }, (tx) =>
    search(readerIn(tx, item), text, { limit: DEPTH, history }),
  );
  return [...new Set(passages.map(({ sourceId }) => sourceId))];
}
