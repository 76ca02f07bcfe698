import type { Citation } from '../../contract/chat.ts';

/** The passages a text cites, in numerical order. */
export function citedIn(text: string, citations: readonly Citation[]): Citation[] {
  return citations
    .filter(({ number }) => text.includes(`[${number}]`))
    .toSorted((one, other) => one.number - other.number);
}
