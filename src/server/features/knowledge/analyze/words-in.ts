import { visible } from './visible.ts';

/** Variation selectors (the red of a heart, the form of an ideograph) and the keycap frame: not part of a word. */
const dress = /[\ufe00-\ufe0f\u20e3\u{e0100}-\u{e01ef}]/gu;
/** A combining mark alone isn't a word: many symbols are followed by one, and all of these would be the same rare word. */
export const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** A text's words as written, one after another. */
export function wordsIn(text: string): string[] {
  return visible(text).replace(dress, '').match(wordPattern) ?? [];
}

/** Longer ones are hardly ever also written as one word. */
const JOINED_MAX_CHARACTERS = 24;
const hyphened =
  /(?<![\p{L}\p{M}\p{N}])([\p{L}\p{N}][\p{L}\p{M}\p{N}]*)[-\u2010](?=([\p{L}\p{N}][\p{L}\p{M}\p{N}]*))/gu;
const letter = /\p{L}/u;

/** Two words with a hyphen between them. */
export interface Joined {
  parts: [string, string];
  /** The same without the hyphen. */
  joined: string;
}

/** Every two words of a text that are joined by a hyphen; in one of three, both pairs. Not ranges of numbers. */
export function joinedIn(text: string): Joined[] {
  // Most words have none.
  if (!/[-\u2010]/.test(text)) return [];
  return [...visible(text).matchAll(hyphened)]
    .map(([, left = '', right = '']): Joined => ({ parts: [left, right], joined: left + right }))
    .filter(({ joined }) => joined.length <= JOINED_MAX_CHARACTERS && letter.test(joined));
}
