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
  const known = new Set(said.map(plain));
  const offered = [...unused.map(subjectOf), ...openings].filter((text) => {
    const isNew = !known.has(plain(text));
    known.add(plain(text));
    return isNew && text.length >= LEAST_CHARACTERS && text.length <= MOST_CHARACTERS;
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
