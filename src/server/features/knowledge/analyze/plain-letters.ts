/** Diacritics; Hebrew and Arabic vowel signs, Arabic hamza and tatweel; the Devanagari nukta. */
const marks = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u0655\u0670\u093c]/g;
/** Letters used interchangeably: the dotless i, the Arabic and the Persian forms of a letter. */
const twins: Record<string, string> = { ı: 'i', ى: 'ي', ی: 'ي', ک: 'ك', ς: 'σ' };
const anyTwin = /[ıىیکς]/g;

/** Without accents, and with one form of each letter. */
export function withPlainLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(anyTwin, (letter) => twins[letter] ?? letter);
}
