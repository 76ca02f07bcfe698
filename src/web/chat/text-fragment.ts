/** What begins a line of Markdown and is not shown as text. */
const LINE_START = /^[\s>#*+-]*(?:\d+\.\s+)?/;
const WORDS_MAX = 8;
const WORDS_MIN = 3;

/**
 * The address of a page at a passage: a browser that knows text fragments scrolls to the passage's first words and marks
 * them. Only words that stand on the page as they stand in the Markdown are used; without enough of them, the page itself.
 */
export function addressAt(url: string, passage: string): string {
  const words = firstWords(passage);
  if (words.length < WORDS_MIN) return url;
  // The hyphen has a meaning of its own in a fragment.
  const text = encodeURIComponent(words.join(' ')).replaceAll('-', '%2D');
  return `${url}${url.includes('#') ? '' : '#'}:~:text=${text}`;
}

/** Of the first line with words enough before anything that Markdown writes differently. */
function firstWords(passage: string): string[] {
  for (const line of passage.split(/[\n\f]/)) {
    const [plain = ''] = line.replace(LINE_START, '').split(/[*_`[\]|\\<!]/);
    const words = plain.trim().split(/\s+/).slice(0, WORDS_MAX);
    if (words.length >= WORDS_MIN) return words;
  }
  return [];
}
