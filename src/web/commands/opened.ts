import { createStore } from '../store.ts';

/** What floats above the page because somebody asked for it, from wherever: at most one at a time. */
export const opened = createStore<'palette' | 'shortcuts' | 'new-organization' | null>(null);
