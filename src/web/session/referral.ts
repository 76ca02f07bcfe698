import { localKeeper } from '../storage.ts';

const KEY = 'parley.referral';

/** The code of the link by which somebody came: kept in this browser until they make an organization. */
export const referral = {
  get: () => localKeeper.get(KEY),
  set: (code: string) => localKeeper.set(KEY, code),
  remove: () => localKeeper.remove(KEY),
};

/** What is said of it when an organization is made. */
export function referralInput(): { ref?: string } {
  const ref = referral.get();
  return ref === null ? {} : { ref };
}
