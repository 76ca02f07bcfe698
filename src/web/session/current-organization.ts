import { localKeeper } from '../storage.ts';

const KEY = 'parley.organization';

/** The organization whose pages were last open, in any tab. */
export const lastOrganization = {
  get: () => localKeeper.get(KEY),
  set: (id: string) => localKeeper.set(KEY, id),
  remove: () => localKeeper.remove(KEY),
};
