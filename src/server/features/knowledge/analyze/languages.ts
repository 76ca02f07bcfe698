import snowball from 'snowball-stemmers';
import { stopWords } from './stop-words.ts';

/** How a language's words become terms. */
interface LanguageRules {
  isStopWord: (word: string) => boolean;
  stem: (word: string) => string;
  /**
   * Whether character 4-grams are indexed along with the stems. They match parts of compounds and the many forms of
   * richly inflected words, where they beat the stemmers; for other languages they only enlarge the index.
   */
  hasGrams: boolean;
}

const stemmers: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

/** Their inflection is light enough for a stemmer alone, or (Vietnamese) nonexistent. */
const withoutGrams = new Set(['ca', 'en', 'es', 'fr', 'ga', 'it', 'pt', 'ro', 'vi']);

const known = new Map<string, LanguageRules>();

/** The rules for an ISO 639-1 code; for `''`, an unknown language, unchanged words and their 4-grams. */
export function rulesOf(language: string): LanguageRules {
  const found = known.get(language);
  if (found) return found;
  const made = makeRules(language);
  known.set(language, made);
  return made;
}

function makeRules(language: string): LanguageRules {
  const stops = new Set(stopWords[language]?.split(/\s+/).filter(Boolean));
  const algorithm = stemmers[language];
  const stemmer = algorithm === undefined ? undefined : snowball.newStemmer(algorithm);
  return {
    isStopWord: (word) => stops.has(word),
    stem: stemmer ? (word) => stemmer.stem(word) : (word) => word,
    hasGrams: !withoutGrams.has(language),
  };
}
