import { createStore } from '../store.ts';

/** The overlay somebody has opened, from wherever: at most one at a time. */
export const opened = createStore<'palette' | 'shortcuts' | 'new-organization' | null>(null);
