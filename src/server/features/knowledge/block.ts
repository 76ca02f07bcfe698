import { detectLanguage } from './analyze/detect.ts';
import { chunkText, type ChunkText } from './chunk.ts';
import { chunkTerms } from './chunk-terms.ts';

export interface SourceText {
  id: string;
  title: string;
  text: string;
}

export interface BuiltChunk extends ChunkText {
  sourceId: string;
  ordinal: number;
  length: number;
}

/** Everything the index needs of some sources; postings name their chunk by its place in `chunks`. */
export interface BuiltBlock {
  chunks: BuiltChunk[];
  languages: Record<string, string>;
  /** In order. */
  terms: string[];
  /** For each term, how many postings it has. */
  counts: Uint32Array;
  /** The postings of all terms, one after the other: place of the chunk, frequency. */
  postings: Uint32Array;
}

/** Cuts and analyses sources. All CPU work of indexing, free of any input or output: it runs in a worker thread. */
export function buildBlock(sources: SourceText[]): BuiltBlock {
  const chunks: BuiltChunk[] = [];
  const languages: Record<string, string> = {};
  const index = new Map<string, number[]>();
  for (const source of sources) {
    const language = detectLanguage(source.text);
    languages[source.id] = language;
    for (const [ordinal, chunk] of chunkText(source.text).entries()) {
      const { counts, length } = chunkTerms(source.title, chunk, language);
      for (const [term, frequency] of counts) {
        const list = index.get(term);
        if (list) list.push(chunks.length, frequency);
        else index.set(term, [chunks.length, frequency]);
      }
      chunks.push({ ...chunk, sourceId: source.id, ordinal, length });
    }
  }
  return { chunks, languages, ...packed(index) };
}

function packed(index: Map<string, number[]>): Pick<BuiltBlock, 'terms' | 'counts' | 'postings'> {
  // In the order of the table's key, which makes its insertion several times quicker.
  const terms = [...index.keys()].toSorted();
  const lists = terms.map((term) => index.get(term) ?? []);
  const postings = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let end = 0;
  for (const list of lists) {
    postings.set(list, end);
    end += list.length;
  }
  return { terms, counts: Uint32Array.from(lists, (list) => list.length / 2), postings };
}
