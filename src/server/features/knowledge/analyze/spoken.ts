import { evidenceOf } from './guess.ts';

/**
 * Whether a text is in one of those languages: by its most common words or, without any, by its letters. Undefined if
 * neither tells, as for a single word.
 */
export function isSpokenIn(text: string, languages: string[]): boolean | undefined {
  const { best, shareOf } = evidenceOf(text);
  if (best) return languages.some((language) => shareOf(language) >= best.share);
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return undefined;
  const isLatin = 2 * (text.match(/\p{Script=Latin}/gu) ?? []).length >= letters.length;
  return languages.some((language) => isWrittenInLatin(language) === isLatin) ? undefined : false;
}

function isWrittenInLatin(language: string): boolean {
  return new Intl.Locale(language).maximize().script === 'Latn';
}
