import { firstMessages } from './en-first.ts';
import type { en } from './en.ts';
import { language } from './language.ts';
import { translator, type KeyOf } from './translate.ts';

export type MessageKey = KeyOf<typeof en>;

const known: Record<string, string> = { ...firstMessages };

/** The text of the interface under a key. */
export const t = translator(known as typeof en, language);

/** Every page but the first ones waits for this: from then on all texts are there. */
export async function loadMessages(): Promise<void> {
  Object.assign(known, (await import('./en.ts')).en);
}
