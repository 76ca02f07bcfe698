import { SUGGESTIONS_MAX } from '../../../contract/limits.ts';
import type { Passage } from '../knowledge/search.ts';

const LEAST_CHARACTERS = 4;
const MOST_CHARACTERS = 80;

/**
 * What may be asked next, without asking a model: the subjects that stood beside the answer and were not used for it, then
 * the agent's own openings. Nothing that was said already.
 */
export function suggest(
  unused: Pick<Passage, 'kind' | 'title' | 'headingPath'>[],
  openings: string[],
  said: string[],
): string[] {
  const fitting = [...unused.map(subjectOf), ...openings].filter(
    ({ length }) => length >= LEAST_CHARACTERS && length <= MOST_CHARACTERS,
  );
  // Most agents offer nothing, and most of what is said is too long to be what is offered.
  if (fitting.length === 0) return [];
  const short = said.filter(({ length }) => length <= 2 * MOST_CHARACTERS);
  const known = new Set(short.map(plain));
  const offered = fitting.filter((text) => {
    const isNew = !known.has(plain(text));
    known.add(plain(text));
    return isNew;
  });
  return offered.slice(0, SUGGESTIONS_MAX);
}

/** A pair's own question, else the heading right above the passage. */
function subjectOf({ kind, title, headingPath }: Pick<Passage, 'kind' | 'title' | 'headingPath'>): string {
  return (kind === 'qa' ? title : (headingPath.at(-1) ?? '')).trim();
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
