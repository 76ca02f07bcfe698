import { CHUNK_RELOAD_GUARD_SECONDS } from '../contract/limits.ts';
import { isReachable } from './online.ts';
import { tabKeeper } from './storage.ts';
import { createStore } from './store.ts';

const KEY = 'parley.chunk-reload-at';

/** Code is missing, and it is not known yet whether the page is loaded anew for it: until then no error is shown. */
export const isDeciding = createStore(false);

/**
 * After a new version has been put on the server, the code that an open page still asks for is gone: the page is loaded
 * anew, at most once a minute, so that a chunk which stays missing ends in an error page and not in a loop.
 */
export function startChunkReload(whatPeopleRead?: string): void {
  addEventListener('vite:preloadError', (event) => {
    // The router would reload at what the browser says of this; only here is it decided, and people read it.
    if (whatPeopleRead) event.payload.message = whatPeopleRead;
    void reloadUnlessAway();
  });
}

async function reloadUnlessAway(): Promise<void> {
  isDeciding.set(true);
  // Without a network, or a server, the code is not gone, only out of reach: a page loaded anew would be as well, and what is open on it lost.
  if ((await isReachable()) && mayReload()) location.reload();
  else isDeciding.set(false);
}

function mayReload(): boolean {
  const last = Number(tabKeeper.get(KEY) ?? 0);
  if (Date.now() - last < CHUNK_RELOAD_GUARD_SECONDS * 1000) return false;
  tabKeeper.set(KEY, String(Date.now()));
  return true;
}
