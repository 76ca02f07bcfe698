import { createStore } from '../store.ts';

/** Text typed for the palette before its field has the focus: its first query. */
export const typedAhead = createStore('');
