/**
 * The start of a text, at most this many characters. Never splits a surrogate pair, such as an emoji: half of one
 * displays as something that wasn't written, and the server rejects it.
 */
export function cutText(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}

/** The same, with an ellipsis to show that the text continues. */
export function shortText(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${cutText(text, maxCharacters - 1).trimEnd()}…`;
}
