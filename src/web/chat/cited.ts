import type { Citation } from '../../contract/chat.ts';

/** The passages that a text points to, in the order of their numbers. */
export function citedIn(text: string, citations: readonly Citation[]): Citation[] {
  return citations
    .filter(({ number }) => text.includes(`[${number}]`))
    .toSorted((one, other) => one.number - other.number);
}
