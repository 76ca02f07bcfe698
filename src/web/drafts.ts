import { tabKeeper } from './storage.ts';

/** What has been typed in this tab and not sent. */

const PLACE = 'parley.draft.';

export const readDraft = (key: string) => tabKeeper.get(PLACE + key) ?? '';

export function keepDraft(key: string, text: string): void {
  if (text === '') tabKeeper.remove(PLACE + key);
  else tabKeeper.set(PLACE + key, text);
}

/** Who signs out leaves nothing that they were writing to who comes next. */
export function forgetDrafts(): void {
  for (const key of tabKeeper.keys()) if (key.startsWith(PLACE)) tabKeeper.remove(key);
}
