import { CHUNK_RELOAD_GUARD_SECONDS } from '../contract/limits.ts';
import { isReachable } from './online.ts';
import { tabKeeper } from './storage.ts';
import { createStore } from './store.ts';

const KEY = 'parley.chunk-reload-at';

/** Code is missing, and whether to reload the page is not decided yet: until then no error is shown. */
export const isDeciding = createStore(false);

/**
 * After a deployment, the code that an open page still requests is gone: the page is reloaded, at most once a minute,
 * so that a chunk that stays missing ends in an error page, not in a loop.
 */
export function startChunkReload(whatPeopleRead?: string): void {
  addEventListener('vite:preloadError', (event) => {
    // The router would reload on the browser's message for this; the decision is made only here, and people read the
    // message.
    if (whatPeopleRead) event.payload.message = whatPeopleRead;
    void reloadUnlessAway();
  });
}

async function reloadUnlessAway(): Promise<void> {
  isDeciding.set(true);
  // Without a network or a server the code isn't gone, only out of reach: so would be a reloaded page, and what is open
  // on it would be lost.
  if ((await isReachable()) && mayReload()) location.reload();
  else isDeciding.set(false);
}

function mayReload(): boolean {
  const last = Number(tabKeeper.get(KEY) ?? 0);
  if (Date.now() - last < CHUNK_RELOAD_GUARD_SECONDS * 1000) return false;
  tabKeeper.set(KEY, String(Date.now()));
  return true;
}
