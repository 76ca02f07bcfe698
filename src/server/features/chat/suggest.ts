import { SUGGESTIONS_MAX } from '../../../contract/limits.ts';
import type { Passage } from '../knowledge/search.ts';

const LEAST_CHARACTERS = 4;
const MOST_CHARACTERS = 80;
/**
 * A shorter heading, such as "Limits" or "What is in the file", needs its source's title to name its subject; a
 * question doesn't.
 */
const TELLING_CHARACTERS = 20;

/** The location of a passage. */
type Place = Pick<Passage, 'title' | 'headingPath'>;

/**
 * Suggests what to ask next, without a model: subjects found next to the answer but not used for it, then the agent's
 * conversation starters. Excludes what was already said, and what the answer, which is based on `cited`, has just
 * covered.
 */
export function suggest(
  unused: (Place & Pick<Passage, 'kind'>)[],
  cited: Place[],
  openings: string[],
  said: string[],
): string[] {
  const fitting = [...unused.map(subjectOf), ...openings].filter(
    ({ length }) => length >= LEAST_CHARACTERS && length <= MOST_CHARACTERS,
  );
  // Most agents offer nothing, and most messages are too long to match a suggestion.
  if (fitting.length === 0) return [];
  const short = said.filter(({ length }) => length <= 2 * MOST_CHARACTERS);
  const told = cited.flatMap((place) => [place.title, headingOf(place)]);
  const known = new Set([...short, ...told].map(plain));
  const offered = fitting.filter((text) => {
    const isNew = !known.has(plain(text));
    known.add(plain(text));
    return isNew;
  });
  return offered.slice(0, SUGGESTIONS_MAX);
}

/** A pair's own question, or else the heading above the passage. */
function subjectOf(place: Place & Pick<Passage, 'kind'>): string {
  return place.kind === 'qa' ? place.title.trim() : headingOf(place);
}

/** The nearest heading, with its source's title if it is short. */
function headingOf({ title, headingPath }: Place): string {
  const heading = headingPath.at(-1)?.trim() ?? '';
  const full = `${title.trim()}: ${heading}`;
  const saysLittle = heading.length < TELLING_CHARACTERS && !/[?？]$/u.test(heading);
  const isOwnTitle = heading === '' || plain(title) === plain(heading);
  return saysLittle && !isOwnTitle && full.length <= MOST_CHARACTERS ? full : heading;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
