import { en } from './en.ts';
import { language } from './language.ts';
import { translator, type KeyOf } from './translate.ts';

export type MessageKey = KeyOf<typeof en>;

/** The text of the interface under a key. */
export const t = translator(en, language);
