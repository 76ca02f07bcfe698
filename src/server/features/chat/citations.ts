import type { Citation } from '../../../contract/chat.ts';
import type { Passage } from '../knowledge/search.ts';

/** The passages as an answer may cite them: numbered from 1 in the order given to the model. */
export function citable(passages: Passage[]): Citation[] {
  return passages.map((passage, index) => ({
    number: index + 1,
    chunkId: passage.chunkId,
    sourceId: passage.sourceId,
    knowledgeId: passage.knowledgeId,
    title: passage.title,
    url: passage.url,
    headingPath: passage.headingPath,
    page: passage.page,
    offset: passage.offset,
    text: passage.text,
    card: passage.card,
  }));
}

/** Citations stored before all fields existed. */
type StoredCitation = Omit<Citation, 'offset' | 'card'> & Partial<Pick<Citation, 'offset' | 'card'>>;

export function citationOf(stored: StoredCitation): Citation {
  return { ...stored, offset: stored.offset ?? null, card: stored.card ?? null };
}

/** Those the text actually cites as `[n]` or `[n, m]`; a number without a passage isn't a citation. */
export function citedIn(text: string, citations: Citation[]): Citation[] {
  const numbers = new Set(
    [...text.matchAll(/\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g)].flatMap((match) =>
      (match[1] ?? '').split(',').map(Number),
    ),
  );
  return citations.filter(({ number }) => numbers.has(number));
}
