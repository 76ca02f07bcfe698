/** How much of a text is examined. */
const SAMPLE_CHARACTERS = 2000;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** True for text mostly in a script whose characters stand for syllables or words. */
export function isDense(text: string): boolean {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  return (sample.match(dense)?.length ?? 0) > sample.length / 3;
}
