import { visible } from './visible.ts';

/** How a sign is drawn (the red of a heart, a form of an ideograph), and the frame of a key: no part of a word. */
const dress = /[\ufe00-\ufe0f\u20e3\u{e0100}-\u{e01ef}]/gu;
/** A mark alone is no word: many a sign has one behind it, and all of these would be the same rare word. */
const words = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** The words of a text as they are written, one after the other. */
export function* wordsIn(text: string): Generator<string> {
  for (const [word] of visible(text).replace(dress, '').matchAll(words)) yield word;
}
