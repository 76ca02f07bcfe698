import { tabKeeper } from './storage.ts';

const KEY = 'parley.return-to';

/** Remembers the page that asked for a sign-in. */
export function rememberPage(path: string): void {
  tabKeeper.set(KEY, path);
}

/** The remembered page, once; only an address of this app, so that nobody can be sent elsewhere. */
export function takeRememberedPage(): string | null {
  const path = tabKeeper.get(KEY);
  tabKeeper.remove(KEY);
  return path !== null && /^\/(platform|chat)(\/|$)/.test(path) ? path : null;
}
