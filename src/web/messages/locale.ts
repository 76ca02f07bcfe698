import { language } from './language.ts';

const reader = new Intl.Locale(new Intl.NumberFormat().resolvedOptions().locale);

/** For numbers and money: grouped as the reader is used to, in the same digits as the numbers within texts. */
export const numberLocale = new Intl.Locale(reader, { numberingSystem: 'latn' });

const { region = '' } = reader.maximize();

/** For what has words in it, such as months and units: in the language of the texts, ordered as in the reader's region. */
export const wordLocale =
  reader.language === language ? reader : new Intl.Locale(language, { ...(region && { region }) });
