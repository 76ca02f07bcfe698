import { newId } from '../../../id.ts';
import { detectLanguage } from '../analyze/detect.ts';
import { chunkText, type ChunkText } from './chunk.ts';
import { chunkTerms } from './chunk-terms.ts';
import { packPosting, WORDS_A_POSTING } from './postings.ts';

export interface SourceText {
  id: string;
  title: string;
  text: string;
}

/**
 * Everything the index needs from some sources, in the form the database takes: the serving process only passes it on,
 * which takes milliseconds for a megabyte of text.
 */
export interface BuiltBlock {
  chunkCount: number;
  /** Word count of all chunks, with title and headings counted as often as the ranking counts them. */
  wordCount: number;
  /** By source. */
  languages: Record<string, string>;
  /** A JSON array with each chunk's columns; its position in the block stands for its number. */
  chunks: string;
  /** A JSON array of all terms in order, and one with each term's number of postings. */
  terms: string;
  counts: string;
  /** The postings of all terms, one after the other; each refers to its chunk by position. */
  postings: Uint32Array;
}

interface Passage {
  id: string;
  place: number;
  source_id: string;
  ordinal: number;
  text: string;
  heading_path: string[];
  page: number | null;
  offset: number;
}

/** Splits and analyzes sources. All the CPU work of indexing, without any I/O: it runs in a child process. */
export function buildBlock(sources: SourceText[]): BuiltBlock {
  const languages: Record<string, string> = {};
  const passages = sources.flatMap((source) => {
    const language = detectLanguage(source.text);
    languages[source.id] = language;
    return chunkText(source.text).map((chunk, ordinal) => ({
      ...chunk,
      id: newId('chunk'),
      sourceId: source.id,
      title: source.title,
      language,
      ordinal,
    }));
  });
  return analyseBlock({ passages, languages });
}

/** A passage as split, with what its source says about it. */
export interface CutPassage extends ChunkText {
  id: string;
  sourceId: string;
  title: string;
  language: string;
  ordinal: number;
}

export interface CutBlock extends Pick<BuiltBlock, 'languages'> {
  passages: CutPassage[];
}

/** The same for already split passages: they are found as they were wherever they come from. */
export function analyseBlock({ passages: cut, languages }: CutBlock): BuiltBlock {
  const lengths: number[] = [];
  const index = new Map<string, number[]>();
  const passages = cut.map(({ title, language, sourceId, headingPath, ...chunk }, place): Passage => {
    const { counts, length } = chunkTerms(title, { ...chunk, headingPath }, language);
    for (const [term, frequency] of counts) {
      const list = index.get(term);
      if (list) list.push(place, frequency);
      else index.set(term, [place, frequency]);
    }
    lengths.push(length);
    return { ...chunk, place, source_id: sourceId, heading_path: headingPath };
  });
  return {
    chunkCount: passages.length,
    wordCount: lengths.reduce((sum, length) => sum + length, 0),
    languages,
    chunks: JSON.stringify(passages),
    ...packed(index, lengths),
  };
}

function packed(
  index: Map<string, number[]>,
  lengths: number[],
): Pick<BuiltBlock, 'terms' | 'counts' | 'postings'> {
  // In the order of the table's key, which makes inserting several times faster.
  const terms = [...index.keys()].toSorted();
  const lists = terms.map((term) => index.get(term) ?? []);
  const total = lists.reduce((sum, list) => sum + list.length / 2, 0);
  const postings = new Uint32Array(total * WORDS_A_POSTING);
  let end = 0;
  for (const list of lists) {
    for (let at = 0; at < list.length; at += 2) {
      const place = list[at] ?? 0;
      packPosting(postings, end, place, list[at + 1] ?? 0, lengths[place] ?? 0);
      end += WORDS_A_POSTING;
    }
  }
  return {
    terms: JSON.stringify(terms),
    counts: JSON.stringify(lists.map((list) => list.length / 2)),
    postings,
  };
}
