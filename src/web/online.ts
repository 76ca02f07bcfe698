import { createStore } from './store.ts';

/** Whether the browser believes itself to be on a network. */
export const online = createStore(navigator.onLine);

addEventListener('online', () => online.set(true));
addEventListener('offline', () => online.set(false));
