import { api } from '../api/api.ts';
import { refreshSession, sessionState } from './session.ts';

const CALLBACK = '/auth/google';
/** The final page of a popup whose opener can't be reached. */
const POPUP_END = `${CALLBACK}?popup=true`;
/** The only message the popup sends. */
const DONE = 'done';
const LOOK_MS = 500;

/** Goes to Google, and returns to `returnTo`. For a signed-in person this links the account. */
export async function goToGoogle(returnTo: string): Promise<void> {
  const { url } = await api.identity.startGoogle({ returnTo });
  location.assign(url);
}

/**
 * Signs in with Google in a separate window, so that this page stays as it is; if windows are blocked, by leaving the
 * page. Resolves to true if there is a new session, false if the window was closed first.
 */
export async function openGoogle(returnTo: string): Promise<boolean> {
  // Opened before any await: later it would not count as a response to a click.
  const popup = open('about:blank', '', 'popup,width=480,height=640');
  if (!popup) {
    await goToGoogle(returnTo);
    return false;
  }
  try {
    const { url } = await api.identity.startGoogle({ returnTo: POPUP_END });
    popup.location.replace(url);
  } catch (error) {
    popup.close();
    throw error;
  }
  const done = await untilDone(popup);
  if (done) await refreshSession();
  return done;
}

/** Tells the page that opened this window, if it is of our own origin, that it is done. False if there is no such page. */
export function tellOpener(): boolean {
  const opener = window.opener as Window | null;
  if (!opener || opener === window) return false;
  opener.postMessage(DONE, location.origin);
  window.close();
  return true;
}

/** Waits until the popup reports back, another tab's sign-in is seen here, or the window is gone. */
function untilDone(popup: Window): Promise<boolean> {
  return new Promise((resolve) => {
    const before = sessionState.get().user;
    const end = (done: boolean) => {
      removeEventListener('message', hear);
      unsubscribe();
      clearInterval(timer);
      resolve(done);
    };
    const hear = (event: MessageEvent) => {
      if (event.origin === location.origin && event.source === popup && event.data === DONE) end(true);
    };
    const unsubscribe = sessionState.subscribe(() => {
      const { user } = sessionState.get();
      if (user && user !== before && !user.isAnonymous) end(true);
    });
    const timer = setInterval(() => popup.closed && end(false), LOOK_MS);
    addEventListener('message', hear);
  });
}
