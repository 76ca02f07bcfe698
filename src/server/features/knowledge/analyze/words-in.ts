import { visible } from './visible.ts';

/** Variation selectors (the red of a heart, the form of an ideograph) and the keycap frame: not part of a word. */
const dress = /[\ufe00-\ufe0f\u20e3\u{e0100}-\u{e01ef}]/gu;
/** A combining mark alone isn't a word: many symbols are followed by one, and all of these would be the same rare word. */
const words = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** A text's words as written, one after another. */
export function* wordsIn(text: string): Generator<string> {
  for (const [word] of visible(text).replace(dress, '').matchAll(words)) yield word;
}
