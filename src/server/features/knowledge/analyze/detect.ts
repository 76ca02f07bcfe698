import { eld } from 'eld/extrasmall';

/** As much of a text as is looked at: enough for certainty, and as quick for a book as for a page. */
const SAMPLE_CHARACTERS = 4000;
/** Shorter texts are guessed wrongly too often. */
const SURE_CHARACTERS = 20;

/** The ISO 639-1 code of a text's language, `''` when it can't be told. Loads 60 MB of tables: for worker threads. */
export function detectLanguage(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  if (sample.trim().length < SURE_CHARACTERS) return '';
  return eld.detect(sample).language;
}
