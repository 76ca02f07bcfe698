import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Judgements } from './retrieval-metrics.ts';

export interface Collection {
  name: string;
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string; judgements: Judgements }[];
}

interface Line {
  _id: string;
  title?: string;
  text: string;
}

/**
 * Collections aren't part of this repository: put public ones in BEIR format (https://github.com/beir-cellar/beir) into
 * one folder.
 */
export function requireFolder(collections: string | undefined): string {
  if (collections !== undefined) return collections;
  throw new Error(
    'Set --collections <folder>. It contains one folder per collection: corpus.jsonl, queries.jsonl, qrels.tsv.',
  );
}

/** Reads a collection in BEIR format: `corpus.jsonl`, `queries.jsonl`, `qrels.tsv`. Queries without judgements are skipped. */
export async function readCollection(folder: string): Promise<Collection> {
  const [corpus, queries, qrels] = await Promise.all([
    readLines(path.join(folder, 'corpus.jsonl')),
    readLines(path.join(folder, 'queries.jsonl')),
    readFile(path.join(folder, 'qrels.tsv'), 'utf8'),
  ]);
  const judgements = new Map<string, Map<string, number>>();
  for (const line of qrels.trim().split(/\r?\n/).slice(1)) {
    const [query = '', document = '', grade = '0'] = line.split('\t');
    if (Number(grade) <= 0) continue;
    if (!judgements.has(query)) judgements.set(query, new Map());
    judgements.get(query)?.set(document, Number(grade));
  }
  return {
    name: path.basename(folder),
    documents: corpus.map(({ _id, title = '', text }) => ({ id: _id, title, text })),
    queries: queries.flatMap(({ _id, text }) => {
      const known = judgements.get(_id);
      return known ? [{ id: _id, text, judgements: known }] : [];
    }),
  };
}

async function readLines(file: string): Promise<Line[]> {
  const content = await readFile(file, 'utf8');
  return content
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
