import { stopWords } from './stop-words.ts';

/** If nothing suggests another language. */
const DEFAULT_LANGUAGE = 'en';

const stopWordSets = Object.entries(stopWords)
  .map(([language, list]) => ({ language, stops: new Set(list.split(/\s+/)) }))
  .toSorted((a, b) => Number(b.language === DEFAULT_LANGUAGE) - Number(a.language === DEFAULT_LANGUAGE));

/**
 * The language whose most common words make up most of a short text. Less reliable than `detectLanguage`, but it needs
 * no tables and always names a language, so that a question and the sentence that answers it are analyzed alike.
 */
export function guessLanguage(text: string): string {
  return mostlyIn(text) ?? DEFAULT_LANGUAGE;
}

/** The same, but undefined if no word suggests any language. */
export function mostlyIn(text: string): string | undefined {
  return evidenceOf(text).best?.language;
}

/** The share of a text's words that are stop words of a language, and the language with the highest share. */
export function evidenceOf(text: string): {
  best: { language: string; share: number } | undefined;
  shareOf: (language: string) => number;
} {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const shares = stopWordSets.map(({ language, stops }) => ({
    language,
    share: words.filter((word) => stops.has(word)).length / Math.max(1, words.length),
  }));
  // Ties go to the first, in the order of the sets.
  const best = shares.reduce((most, each) => (each.share > most.share ? each : most), {
    language: '',
    share: 0,
  });
  return {
    best: best.share > 0 ? best : undefined,
    shareOf: (language) => shares.find((each) => each.language === language)?.share ?? 0,
  };
}
