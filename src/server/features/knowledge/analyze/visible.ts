/** Soft hyphens, and zero-width spaces and joiners. The Persian word separator (U+200C) isn't one of them. */
const invisible = /[\u00ad\u200b\u2060\ufeff]/g;

/** A text without the characters that occur inside words but aren't part of them. */
export function visible(text: string): string {
  return text.replace(invisible, '');
}
