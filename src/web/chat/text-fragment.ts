/** Markdown syntax at the start of a line that is not shown as text. */
const LINE_START = /^[\s>#*+-]*(?:\d+\.\s+)?/;
const WORDS_MAX = 8;
const WORDS_MIN = 3;

/**
 * The address of a page at a passage: a browser that supports text fragments scrolls to the passage's first words and
 * highlights them. Uses only words that appear on the page exactly as in the Markdown; without enough of them, the page
 * itself.
 */
export function addressAt(url: string, passage: string): string {
  const words = firstWords(passage);
  if (words.length < WORDS_MIN) return url;
  // Hyphens have a special meaning in a fragment.
  const text = encodeURIComponent(words.join(' ')).replaceAll('-', '%2D');
  return `${url}${url.includes('#') ? '' : '#'}:~:text=${text}`;
}

/** From the first line with enough words before any Markdown syntax. */
function firstWords(passage: string): string[] {
  for (const line of passage.split(/[\n\f]/)) {
    const [plain = ''] = line.replace(LINE_START, '').split(/[*_`[\]|\\<!]/);
    const words = plain.trim().split(/\s+/).slice(0, WORDS_MAX);
    if (words.length >= WORDS_MIN) return words;
  }
  return [];
}
