import { expect, test } from 'vitest';
import { addTerms, isGram, type TermCounts } from './analyze.ts';
import { detectLanguage } from './detect.ts';

function terms(text: string, language: string): string[] {
  const counts: TermCounts = new Map();
  addTerms(counts, text, language);
  return [...counts.keys()];
}

const wordsOf = (text: string, language: string) => terms(text, language).filter((term) => !isGram(term));

test.each([
  ['en', 'The refunds were PROCESSED', 'refund processing'],
  ['fr', 'Les remboursements traités', 'remboursement traité'],
  ['es', 'las devoluciones', 'la devolución'],
  ['de', 'die Häuser', 'das Haus'],
  ['ru', 'красивые дома', 'красивый дом'],
])('inflections of a word share one term (%s)', (language, one, other) => {
  expect(wordsOf(one, language)).toEqual(wordsOf(other, language));
});

test('accents, full-width letters and ligatures do not keep words apart', () => {
  expect(wordsOf('Café ﬁle ＡＢＣ', 'en')).toEqual(wordsOf('cafe file abc', 'en'));
});

test('a variation selector is neither a word nor part of one, and neither is a standalone mark', () => {
  expect(terms('\u2764\ufe0f \u260e\ufe0f \u263a\ufe0f \u0301 \u0640', 'ar')).toEqual([]);
  expect(terms('Opening hours? \u2764\ufe0f', 'en')).toEqual(terms('Opening hours?', 'en'));
  expect(terms('platform 1\ufe0f\u20e3', 'en')).toEqual(terms('platform 1', 'en'));
  expect(terms('\u845b\u{e0100}\u57ce', 'ja')).toEqual(terms('\u845b\u57ce', 'ja'));
});

test('invisible characters inside a word do not keep it from being found', () => {
  expect(wordsOf('Donau\u00addampf\u00adschiff re\u200bfund o\u2060ne', 'de')).toEqual(
    wordsOf('Donaudampfschiff refund one', 'de'),
  );
});

test.each([
  ['ar', 'إدارة المدرسة', 'ادارة المدرسة'],
  ['ar', 'كَتَبَ', 'كتب'],
  ['fa', 'کتاب فارسی', 'كتاب فارسي'],
  ['el', 'Αθήνα νέος', 'αθηνα νεος'],
  ['he', 'שָׁלוֹם', 'שלום'],
  ['hi', 'ज़मीन', 'जमीन'],
])('two spellings are one word (%s)', (language, one, other) => {
  expect(wordsOf(one, language)).toEqual(wordsOf(other, language));
});

test.each([
  ['ar', 'غرفة ٢٠٥', 'غرفة 205'],
  ['fa', 'اتاق ۲۰۵', 'اتاق 205'],
  ['hi', 'कमरा २०५', 'कमरा 205'],
  ['th', 'ห้อง ๒๐๕', 'ห้อง 205'],
])('a number is the same in any digits (%s)', (language, one, other) => {
  expect(terms(one, language)).toEqual(terms(other, language));
});

test('a Vietnamese syllable with its tone is a word, and is found without it', () => {
  expect(wordsOf('má mà', 'vi')).toEqual(['má', 'mà']);
  const typed = new Set(terms('ma', 'vi'));
  expect(terms('má', 'vi').filter((term) => typed.has(term))).toEqual(['~ma']);
});

test('stop words are not terms, and numbers stay unchanged', () => {
  expect(terms('What is the price of 2025 models?', 'en')).toEqual(['price', '2025', 'model']);
});

test('a German compound shares parts with its words', () => {
  const compound = new Set(terms('Krankenversicherungskarte', 'de'));
  const parts = terms('Versicherung', 'de').filter((term) => isGram(term) && compound.has(term));
  expect(parts.length).toBeGreaterThan(5);
});

test('English words have no parts, words of an unknown language do', () => {
  expect(terms('insurance', 'en').some(isGram)).toBe(false);
  expect(terms('insurance', '').some(isGram)).toBe(true);
});

test('Chinese is read in pairs of characters, and a single one is still found', () => {
  expect(wordsOf('联赛中', 'zh')).toEqual(['联赛', '赛中']);
  expect(wordsOf('猫', 'zh')).toEqual(['猫']);
  expect(terms('黑豹队 NFL24', 'zh')).toEqual(expect.arrayContaining(['黑豹', '豹队', 'nfl24']));
});

test('the length counts only the words, weighted', () => {
  expect(addTerms(new Map(), 'Versicherung Karte', 'de', 2)).toBe(4);
});

test('a hash or a key is not a word', () => {
  expect(terms('a'.repeat(65), 'en')).toEqual([]);
});

test('a million characters without a space are read in moments', () => {
  const started = performance.now();
  terms('好'.repeat(1_000_000), 'zh');
  terms('x'.repeat(1_000_000), 'de');
  expect(performance.now() - started).toBeLessThan(30_000);
});

test.each([
  ['en', 'The shop is open every day from nine to five, except on public holidays.'],
  ['de', 'Der Laden hat jeden Tag von neun bis fünf Uhr geöffnet, außer an Feiertagen.'],
  ['zh', '该商店每天九点到五点营业，公共假期除外，欢迎大家光临本店选购商品。'],
  ['', 'ok'],
])('the language of a text is detected: %s', (language, text) => {
  expect(detectLanguage(text)).toBe(language);
});
