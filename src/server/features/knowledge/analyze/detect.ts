import { eld } from 'eld/extrasmall';
import { evidenceOf } from './guess.ts';

/** As much of a text as is looked at: enough for certainty, and as quick for a book as for a page. */
const SAMPLE_CHARACTERS = 4000;
/** Shorter texts are guessed wrongly too often. */
const SURE_CHARACTERS = 20;

/** A text with this share of stop words of a language is in it, whatever its letters look like: formulas, names, codes. */
const SPEAKING_SHARE = 0.2;

/** The ISO 639-1 code of a text's language, `''` when it can't be told. Loads 27 MB of tables: for processes that end again. */
export function detectLanguage(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  if (sample.trim().length < SURE_CHARACTERS) return '';
  const { language } = eld.detect(sample);
  const { best, shareOf } = evidenceOf(sample);
  const isOverruled = best && best.share >= SPEAKING_SHARE && best.share > 2 * shareOf(language);
  return isOverruled ? best.language : language;
}
