import { createStore } from '../store.ts';

/** True while the not-found page is shown; the window's title then says so too. */
export const pageMissing = createStore(false);
