import { createStore } from '../store.ts';

/** What was typed for the palette before it was there: its first query. */
export const typedAhead = createStore('');
