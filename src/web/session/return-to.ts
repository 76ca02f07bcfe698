import { localKeeper, tabKeeper } from '../storage.ts';

const KEY = 'parley.return-to';

/** Addresses of this app only, so that nobody can be sent elsewhere. */
const ALLOWED = /^\/(platform|chat|app|checkout|auth\/invite)([/?]|$)/;

/** Remembers the page that asked for a sign-in. A page to which nobody is sent back changes nothing. */
export function rememberPage(path: string): void {
  if (ALLOWED.test(path)) tabKeeper.set(KEY, path);
}

/** Lets another tab of this browser take the remembered page: a mail's link opens in a tab of its own. */
export function carryPageOver(): void {
  const path = tabKeeper.get(KEY);
  if (path === null) localKeeper.remove(KEY);
  else localKeeper.set(KEY, path);
}

export function rememberedPage(): string | null {
  const path = tabKeeper.get(KEY) ?? localKeeper.get(KEY);
  return path !== null && ALLOWED.test(path) ? path : null;
}

/** The remembered page, once. */
export function takeRememberedPage(): string | null {
  const path = rememberedPage();
  tabKeeper.remove(KEY);
  localKeeper.remove(KEY);
  return path;
}
