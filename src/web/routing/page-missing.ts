import { createStore } from '../store.ts';

/** True while the page shown is the one which says that there is none; the window's title then says so too. */
export const pageMissing = createStore(false);
