import { stopWords } from './stop-words.ts';

/** Where nothing speaks for another language. */
const DEFAULT_LANGUAGE = 'en';

const stopWordSets = Object.entries(stopWords)
  .map(([language, list]) => ({ language, stops: new Set(list.split(/\s+/)) }))
  .toSorted((a, b) => Number(b.language === DEFAULT_LANGUAGE) - Number(a.language === DEFAULT_LANGUAGE));

/**
 * The language whose commonest words a short text has most of. Less sure than `detectLanguage`, but it needs no tables
 * and always names a language, so that a question and the sentence that answers it are read alike.
 */
export function guessLanguage(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  let best = { language: DEFAULT_LANGUAGE, count: 0 };
  for (const { language, stops } of stopWordSets) {
    const count = words.filter((word) => stops.has(word)).length;
    if (count > best.count) best = { language, count };
  }
  return best.language;
}
