import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Database } from '../src/server/db/scope.ts';
import { chunkText } from '../src/server/features/knowledge/index/chunk.ts';
import type { ItemKey } from '../src/server/features/knowledge/keys.ts';
import { readerIn, retrieve } from '../src/server/features/knowledge/search.ts';
import { printTable } from './report.ts';
import { giveDocuments, makeItem, openBenchDatabase } from './retrieval-agent.ts';
import { readCollection, requireFolder } from './retrieval-collection.ts';
import { percentile } from './retrieval-metrics.ts';

/**
 * Speed of retrieval from 10,000 passages, and of indexing 1 and 10 MB: English collections and every Markdown file
 * below `--texts`, queried with the collections' own questions.
 */
const { values } = parseArgs({
  options: {
    collections: { type: 'string' },
    texts: { type: 'string', default: 'node_modules' },
    chunks: { type: 'string', default: '10000' },
    'no-indexing': { type: 'boolean', default: false },
  },
});
const folder = requireFolder(values.collections);

const CONCURRENCY = 10;
const SECONDS = 10;
const MEGABYTE = 1_000_000;
const names = ['cisi', 'cranfield', 'xquad-en'];

interface Text {
  title: string;
  text: string;
}

async function markdownFiles(folder: string): Promise<Text[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.toSorted().map(async (file) => ({
      title: path.basename(file),
      text: (await readFile(file, 'utf8')).replaceAll('\0', ''),
    })),
  );
}

function upTo(texts: Text[], characters: number): Text[] {
  let total = 0;
  return texts.filter(({ text }) => (total += text.length) <= characters);
}

function untilChunks(texts: Text[], chunks: number): Text[] {
  let total = 0;
  return texts.filter(({ text }) => (total += chunkText(text).length) <= chunks);
}

async function countChunks(database: Database, item: ItemKey): Promise<number> {
  const { rows } = await database.owner.query<{ n: number }>(
    'select count(*)::int as n from chunk where agent_id = $1',
    [item.agentId],
  );
  return rows[0]?.n ?? 0;
}

async function timeIndexing(database: Database, texts: Text[]) {
  const item = await makeItem(database);
  const started = performance.now();
  await giveDocuments(database, item, texts);
  const seconds = (performance.now() - started) / 1000;
  return {
    'MB indexed': texts.reduce((sum, { text }) => sum + text.length, 0) / MEGABYTE,
    sources: texts.length,
    chunks: await countChunks(database, item),
    seconds,
  };
}

async function measureIndexing(database: Database, texts: Text[], documents: Text[]) {
  const large: Text = {
    title: 'One large document',
    text: upTo(texts, MEGABYTE)
      .map(({ text }) => text)
      .join('\n\n'),
  };
  const rows = [];
  for (const set of [upTo(texts, MEGABYTE), [large], upTo([...texts, ...documents], 10 * MEGABYTE)])
    rows.push(await timeIndexing(database, set));
  return rows;
}

async function timeRetrieval(database: Database, item: ItemKey, questions: string[]) {
  const times: number[] = [];
  const ask = async (at: number): Promise<void> => {
    const started = performance.now();
    await database.in({ organizationId: item.organizationId }, (tx) =>
      retrieve(readerIn(tx, item), questions[at % questions.length] ?? ''),
    );
    times.push(performance.now() - started);
  };
  for (let at = 0; at < 200; at += 1) await ask(at * 7);
  times.length = 0;
  for (let at = 0; at < 400; at += 1) await ask(at * 3);
  const alone = [...times];
  times.length = 0;
  const end = performance.now() + SECONDS * 1000;
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (performance.now() < end) await ask((next += 1));
    }),
  );
  return {
    chunks: await countChunks(database, item),
    'ms p50': percentile(alone, 0.5),
    'ms p95': percentile(alone, 0.95),
    [`per s at ${CONCURRENCY}`]: times.length / SECONDS,
    'MiB resident': Math.round(process.memoryUsage().rss / 2 ** 20),
  };
}

const collections = await Promise.all(names.map((name) => readCollection(path.join(folder, name))));
const texts = await markdownFiles(values.texts);
const documents = collections.flatMap((collection) => collection.documents);
const bench = await openBenchDatabase();
try {
  const indexing = values['no-indexing'] ? [] : await measureIndexing(bench.database, texts, documents);
  if (indexing.length > 0) printTable(indexing);
  const item = await makeItem(bench.database);
  await giveDocuments(bench.database, item, untilChunks([...documents, ...texts], Number(values.chunks)));
  const questions = collections.flatMap(({ queries }) => queries.map(({ text }) => text));
  const retrieval = await timeRetrieval(bench.database, item, questions);
  printTable([retrieval]);
  const results = path.join(import.meta.dirname, 'results');
  await mkdir(results, { recursive: true });
  await writeFile(
    path.join(results, 'retrieval-load.json'),
    `${JSON.stringify({ measuredAt: new Date().toISOString(), indexing, retrieval }, null, 2)}\n`,
  );
} finally {
  await bench.close();
}
