import { eld } from 'eld/extrasmall';
import { evidenceOf } from './guess.ts';

/** How much of a text is examined: enough for certainty, and as fast for a book as for a page. */
const SAMPLE_CHARACTERS = 4000;
/** Shorter texts are misidentified too often. */
const SURE_CHARACTERS = 20;

/** A text with this share of a language's stop words is in it, whatever its letters look like: formulas, names, codes. */
const SPEAKING_SHARE = 0.2;

/** The ISO 639-1 code of a text's language, `''` if undetermined. Loads 27 MB of tables: for short-lived processes. */
export function detectLanguage(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  if (sample.trim().length < SURE_CHARACTERS) return '';
  const { language } = eld.detect(sample);
  const { best, shareOf } = evidenceOf(sample);
  const isOverruled = best && best.share >= SPEAKING_SHARE && best.share > 2 * shareOf(language);
  return isOverruled ? best.language : language;
}
