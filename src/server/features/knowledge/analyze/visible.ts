/** Soft hyphens, and spaces and joiners without width. What parts words in Persian (U+200C) is none of them. */
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;

/** A text without the characters that stand in a word and are no part of it. */
export function visible(text: string): string {
  return text.replace(invisible, '');
}
