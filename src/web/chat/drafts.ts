import { tabKeeper } from '../storage.ts';

/** What has been typed in this tab and not sent, and what was sent and did not arrive. */

const PLACE = 'parley.draft.';
const OWNER = 'parley.drafts-of';
const UNSENT_PLACE = 'parley.unsent.';

export const readDraft = (key: string) => tabKeeper.get(PLACE + key) ?? '';

export function keepDraft(key: string, text: string): void {
  if (text === '') tabKeeper.remove(PLACE + key);
  else tabKeeper.set(PLACE + key, text);
}

/**
 * Told at every sign-in: what a person of an account left when their session ended elsewhere is not for the next. A guest who signs in takes
 * theirs along.
 */
export function draftsAreOf({ uid, isAnonymous }: { uid: string; isAnonymous: boolean }): void {
  const before = tabKeeper.get(OWNER);
  if (before !== null && before !== uid) forgetDrafts();
  if (isAnonymous) tabKeeper.remove(OWNER);
  else tabKeeper.set(OWNER, uid);
}

/** Empty where nothing is kept. */
export const readUnsent = (key: string) => tabKeeper.get(UNSENT_PLACE + key) ?? '';

export function keepUnsent(key: string, messages: string): void {
  if (messages === '') tabKeeper.remove(UNSENT_PLACE + key);
  else tabKeeper.set(UNSENT_PLACE + key, messages);
}

/** Who signs out leaves nothing that they were writing to who comes next. */
export function forgetDrafts(): void {
  for (const key of tabKeeper.keys())
    if (key.startsWith(PLACE) || key.startsWith(UNSENT_PLACE)) tabKeeper.remove(key);
}
