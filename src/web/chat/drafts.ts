import { tabKeeper } from '../storage.ts';

/** What was typed in this tab and not sent, and what was sent and did not arrive. */

const PLACE = 'parley.draft.';
const OWNER = 'parley.drafts-of';
const UNSENT_PLACE = 'parley.unsent.';

export const readDraft = (key: string) => tabKeeper.get(PLACE + key) ?? '';

export function keepDraft(key: string, text: string): void {
  if (text === '') tabKeeper.remove(PLACE + key);
  else tabKeeper.set(PLACE + key, text);
}

/**
 * Called at every sign-in: drafts left by an account holder whose session ended elsewhere are not for the next person.
 * A guest who signs in keeps theirs.
 */
export function draftsAreOf({ uid, isAnonymous }: { uid: string; isAnonymous: boolean }): void {
  const before = tabKeeper.get(OWNER);
  if (before !== null && before !== uid) forgetDrafts();
  if (isAnonymous) tabKeeper.remove(OWNER);
  else tabKeeper.set(OWNER, uid);
}

/** Empty if nothing is stored. */
export const readUnsent = (key: string) => tabKeeper.get(UNSENT_PLACE + key) ?? '';

export function keepUnsent(key: string, messages: string): void {
  if (messages === '') tabKeeper.remove(UNSENT_PLACE + key);
  else tabKeeper.set(UNSENT_PLACE + key, messages);
}

/** Signing out leaves no drafts for the next person. */
export function forgetDrafts(): void {
  for (const key of tabKeeper.keys())
    if (key.startsWith(PLACE) || key.startsWith(UNSENT_PLACE)) tabKeeper.remove(key);
}
