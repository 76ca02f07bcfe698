import { createStore } from '../store.ts';

/** The palette's query. Text typed before its field exists and has the focus is added to it. */
export const asked = createStore('');
