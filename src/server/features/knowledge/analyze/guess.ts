import { stopWords } from './stop-words.ts';

/** If nothing suggests another language. */
const DEFAULT_LANGUAGE = 'en';

/** The default language comes first: of several that fit equally well, the first counts. */
const lists = Object.entries(stopWords).toSorted(
  ([a], [b]) => Number(b === DEFAULT_LANGUAGE) - Number(a === DEFAULT_LANGUAGE),
);

/** For each word, the languages whose stop word it is. */
const languagesOf = Map.groupBy(
  lists.flatMap(([language, list]) => [...new Set(list.split(/\s+/))].map((word) => ({ word, language }))),
  ({ word }) => word,
);

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
  const counts = new Map<string, number>();
  for (const word of words)
    for (const { language } of languagesOf.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  const shareOf = (language: string) => (counts.get(language) ?? 0) / Math.max(1, words.length);
  const most = Math.max(0, ...counts.values());
  const [language] = lists.find(([each]) => counts.get(each) === most) ?? [];
  return { best: language === undefined ? undefined : { language, share: shareOf(language) }, shareOf };
}
