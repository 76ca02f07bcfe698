/** As much of a text as is looked at. */
const SAMPLE_CHARACTERS = 2000;
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** True for text that is mostly in a script whose characters stand for syllables or words. */
export function isDense(text: string): boolean {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  return (sample.match(dense)?.length ?? 0) > sample.length / 3;
}
