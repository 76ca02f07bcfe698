import { localKeeper } from '../storage.ts';

const KEY = 'parley.referral';

/** The referral code somebody arrived with: kept in this browser until they create an organization. */
export const referral = {
  get: () => localKeeper.get(KEY),
  set: (code: string) => localKeeper.set(KEY, code),
  remove: () => localKeeper.remove(KEY),
};

/** The referral field for creating an organization. */
export function referralInput(): { ref?: string } {
  const ref = referral.get();
  return ref === null ? {} : { ref };
}
