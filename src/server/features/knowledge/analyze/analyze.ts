import { rulesOf } from './languages.ts';
import { withPlainDigits } from './plain-digits.ts';
import { withPlainLetters } from './plain-letters.ts';
import { joinedIn, wordsIn } from './words-in.ts';

/** Each term's number of occurrences. */
export type TermCounts = Map<string, number>;

/** Marks a term that is part of a word; occurs in no word. */
const GRAM_MARK = '~';
const GRAM_CHARACTERS = 4;
/** Longer runs of letters and digits are keys, hashes or encoded data, not words. */
const WORD_MAX_CHARACTERS = 64;

/** Scripts without spaces between words, and Hangul, whose words include their particles: read as pairs of characters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const FIRST_UNSPACED = 0x0e00;
const ideograph = /\p{Script=Han}/u;

/**
 * Adds a text's terms to `counts`, each `weight` times, and returns its number of words. This is the only analyzer for
 * documents and queries: to match, both must be read by the same rules. Words are NFKC, lower-cased, without accents,
 * with numbers in the digits 0 to 9.
 */
export function addTerms(counts: TermCounts, text: string, language: string, weight = 1): number {
  let length = 0;
  const plain = withPlainDigits(text.normalize('NFKC'));
  for (const word of wordsIn(plain)) {
    for (const term of termsOfWord(word, language)) {
      counts.set(term, (counts.get(term) ?? 0) + weight);
      if (!isGram(term)) length += weight;
    }
  }
  for (const term of termsOfJoined(plain, language)) counts.set(term, (counts.get(term) ?? 0) + weight);
  return length;
}

/** Words with a hyphen as if they were written as one: "Wi-Fi" is also "wifi". */
function termsOfJoined(text: string, language: string): string[] {
  return joinedIn(text).flatMap(({ joined }) =>
    termsOfWord(joined, language).filter((term) => !isGram(term)),
  );
}

/** True for a term that is part of a word rather than a word. */
export function isGram(term: string): boolean {
  return term.startsWith(GRAM_MARK);
}

/** True for a word too common in that language to be a term. */
export function isStopWord(word: string, language: string): boolean {
  return rulesOf(language).isStopWord(lowerCase(word.normalize('NFKC'), language));
}

/** Turkish has two letters i; the plain rule works everywhere else. */
function lowerCase(word: string, language: string): string {
  return language === 'tr' ? word.toLocaleLowerCase('tr') : word.toLowerCase();
}

/** Texts repeat their words: caching each word's result saves most of the stemming. */
const remembered = new Map<string, Map<string, readonly string[]>>();
const REMEMBERED_WORDS_MAX = 20_000;
const REMEMBERED_CHARACTERS = 32;

function termsOfWord(word: string, language: string): readonly string[] {
  if (word.length > REMEMBERED_CHARACTERS) return makeTerms(word, language);
  let memory = remembered.get(language);
  if (!memory || memory.size >= REMEMBERED_WORDS_MAX) {
    memory = new Map();
    remembered.set(language, memory);
  }
  let terms = memory.get(word);
  if (!terms) {
    terms = makeTerms(word, language);
    memory.set(word, terms);
  }
  return terms;
}

function makeTerms(word: string, language: string): string[] {
  if (!hasUnspaced(word)) return wordTerms(word, language);
  let terms: string[] = [];
  let end = 0;
  for (const run of word.matchAll(unspaced)) {
    if (run.index > end) terms = terms.concat(wordTerms(word.slice(end, run.index), language));
    terms = terms.concat(pairs(run[0]));
    end = run.index + run[0].length;
  }
  return end < word.length ? terms.concat(wordTerms(word.slice(end), language)) : terms;
}

function hasUnspaced(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (word.charCodeAt(index) >= FIRST_UNSPACED) return true;
  }
  return false;
}

function wordTerms(word: string, language: string): string[] {
  if (word.length > WORD_MAX_CHARACTERS) return [];
  const { isStopWord, stem, hasGrams } = rulesOf(language);
  const lower = lowerCase(word, language);
  if (isStopWord(lower)) return [];
  if (/\p{N}/u.test(lower)) return [lower];
  const plain = withPlainLetters(stem(lower));
  // A lone tatweel, which stretches Arabic words.
  if (plain === '') return [];
  // A Vietnamese syllable with another tone is another word; without tones, as many people type it, it still counts as
  // a part.
  if (language === 'vi') return [lower, GRAM_MARK + plain];
  const terms = [plain];
  if (hasGrams) terms.push(...grams(withPlainLetters(lower)));
  return terms;
}

/** Neighboring characters, plus, as parts, those that are words by themselves. */
function pairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  const neighbours = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return [
    ...neighbours,
    ...characters.filter((character) => ideograph.test(character)).map((character) => GRAM_MARK + character),
  ];
}

/** Four letters each; `_` marks the word boundary, so that beginnings and endings are distinguished. */
function grams(word: string): string[] {
  const characters = Array.from(`_${word}_`);
  const result: string[] = [];
  for (let start = 0; start + GRAM_CHARACTERS <= characters.length; start += 1) {
    result.push(GRAM_MARK + characters.slice(start, start + GRAM_CHARACTERS).join(''));
  }
  return result;
}
