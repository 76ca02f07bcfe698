/**
 * The beginning of a text, of at most so many characters. One of two halves, as an emoji, is not cut in two: a half shows as nothing that
 * was written, and the server refuses it.
 */
export function cutText(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}

/** The same, of which one sees that it goes on. */
export function shortText(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${cutText(text, maxCharacters - 1).trimEnd()}…`;
}
