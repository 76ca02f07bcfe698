import { createStore } from '../store.ts';

/** Text typed for the palette before it was loaded: its first query. */
export const typedAhead = createStore('');
