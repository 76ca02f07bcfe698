import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LEAST_SUPPORT } from '../src/server/llm/least-support.ts';
import { readAlike } from '../src/server/features/knowledge/search/read-alike.ts';
import { readerIn, retrieve, type Passage } from '../src/server/features/knowledge/search.ts';
import { quoteBest } from '../src/server/llm/quote.ts';
import { printTable } from './report.ts';
import { giveDocuments, makeItem, openBenchDatabase } from './retrieval-agent.ts';
import { readCollection, requireFolder, type Collection } from './retrieval-collection.ts';

/**
 * Honesty of an agent that answers only from its knowledge. The agent knows every other article of a collection and is
 * asked about all of them: it should answer from the half it knows and admit that it can't answer about the rest.
 * Reported for several support thresholds; `quote` adds the built-in model's own judgement on top. Shares of 0 to 1.
 */
const { values } = parseArgs({
  options: {
    collections: { type: 'string' },
    names: { type: 'string', default: 'xquad-en,xquad-de,xquad-zh' },
    /** One agent knows all collections, so its knowledge spans several languages. */
    mixed: { type: 'boolean', default: false },
    thresholds: { type: 'string', default: '0,0.2,0.3,0.35,0.4,0.45,0.5,0.6' },
  },
});
const folder = requireFolder(values.collections);

interface Asked {
  isKnown: boolean;
  support: number;
  isQuoted: boolean;
  /** For a known question: the passage with the answer is quoted first. */
  isRight: boolean;
}

/** `12-3` is the fourth paragraph of the thirteenth article. */
const articleOf = (document: string): number => Number(document.split('-')[0]);
const isKnown = (document: string): boolean => articleOf(document) % 2 === 0;

async function ask(
  question: Collection['queries'][number],
  passages: Passage[],
  support: number,
  documentOf: Map<string, string>,
): Promise<Asked> {
  const numbered = passages.map(({ title, text }, index) => ({ number: index + 1, title, place: '', text }));
  const quotes = quoteBest(question.text, numbered, readAlike);
  const first = passages[(quotes[0]?.number ?? 0) - 1];
  const document = documentOf.get(first?.sourceId ?? '') ?? '';
  return {
    isKnown: [...question.judgements.keys()].some(isKnown),
    support,
    isQuoted: quotes.length > 0,
    isRight: question.judgements.has(document),
  };
}

const bench = await openBenchDatabase();
const rows: Record<string, string | number>[] = [];
const shared = values.mixed ? await makeItem(bench.database) : undefined;
if (shared) {
  for (const name of values.names.split(',')) {
    const { documents } = await readCollection(path.join(folder, name));
    await giveDocuments(
      bench.database,
      shared,
      documents.filter(({ id }) => isKnown(id)),
    );
  }
}
for (const name of values.names.split(',')) {
  const collection = await readCollection(path.join(folder, name));
  const item = shared ?? (await makeItem(bench.database));
  const known = collection.documents.filter(({ id }) => isKnown(id));
  const sources = shared ? [] : await giveDocuments(bench.database, item, known);
  const documentOf = new Map(sources.map((source, index) => [source, known[index]?.id ?? '']));
  const asked: Asked[] = [];
  for (const query of collection.queries) {
    const { passages, support } = await bench.database.in(item, (tx) =>
      retrieve(readerIn(tx, item), query.text),
    );
    asked.push(await ask(query, passages, support, documentOf));
  }
  const answerable = asked.filter((each) => each.isKnown);
  const unanswerable = asked.filter((each) => !each.isKnown);
  for (const threshold of values.thresholds.split(',').map(Number)) {
    const isOver = ({ support }: Asked) => support >= threshold;
    const isAnswered = (each: Asked) => isOver(each) && each.isQuoted;
    const share = (list: Asked[], holds: (each: Asked) => boolean) => list.filter(holds).length / list.length;
    rows.push({
      collection: name,
      threshold: threshold === LEAST_SUPPORT ? `${threshold} (used)` : String(threshold),
      answerable: answerable.length,
      'refused wrongly': 1 - share(answerable, isOver),
      'with quote': 1 - share(answerable, isAnswered),
      unanswerable: unanswerable.length,
      'answered wrongly': share(unanswerable, isOver),
      'with quote ': share(unanswerable, isAnswered),
      'right passage': share(answerable.filter(isAnswered), ({ isRight }) => isRight),
    });
  }
}
printTable(rows);
await mkdir('bench/results', { recursive: true });
await writeFile('bench/results/answer.json', `${JSON.stringify(rows, null, 2)}\n`);
await bench.close();
process.exit(0);
