import { addTerms, type TermCounts } from '../analyze/analyze.ts';
import type { ChunkText } from './chunk.ts';

/** A hit in the title or a heading counts as much as this many in the text. */
const HEADING_WEIGHT = 2;

/** A passage's terms as indexed: its text, and its title and headings by their weight. */
export function chunkTerms(
  title: string,
  chunk: Pick<ChunkText, 'text' | 'headingPath'>,
  language: string,
): { counts: TermCounts; length: number } {
  const counts: TermCounts = new Map();
  const heading = [title, ...chunk.headingPath.filter((part) => part !== title)].join('\n');
  const length = addTerms(counts, chunk.text, language) + addTerms(counts, heading, language, HEADING_WEIGHT);
  return { counts, length };
}
