import { language } from '../../messages/language.ts';

const names = new Intl.DisplayNames(language, { type: 'language' });

/** A language's name by ISO 639-1 code. */
export const languageName = (code: string): string => names.of(code) ?? code;
