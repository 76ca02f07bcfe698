import { localKeeper } from '../storage.ts';

const KEY = 'parley.sign-in-email';

/** The address a sign-in link was requested for: kept in this browser until the link is confirmed. */
export const pendingEmail = {
  get: () => localKeeper.get(KEY),
  set: (email: string) => localKeeper.set(KEY, email),
  remove: () => localKeeper.remove(KEY),
};
