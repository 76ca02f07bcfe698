const AROUND_CHARACTERS = 60;
const MOST_CHARACTERS = 180;

/** The first of the words found in the text, with its context, on one line. */
export function excerptOf(text: string, words: string[]): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const lower = line.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const from = first <= AROUND_CHARACTERS ? 0 : first - AROUND_CHARACTERS;
  const part = line.slice(from, from + MOST_CHARACTERS).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${from + MOST_CHARACTERS < line.length ? '…' : ''}`;
}
