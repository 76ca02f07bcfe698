import { localKeeper, tabKeeper } from '../storage.ts';

const KEY = 'parley.return-to';

/** Addresses within this app only, so that nobody can be redirected elsewhere. */
const ALLOWED = /^\/(platform|chat|app|checkout|auth\/invite)([/?]|$)/;

/** Remembers the page that requested a sign-in. A page that isn't a valid target changes nothing. */
export function rememberPage(path: string): void {
  if (ALLOWED.test(path)) tabKeeper.set(KEY, path);
}

/** Lets another tab of this browser take the remembered page: an emailed link opens in its own tab. */
export function carryPageOver(): void {
  const path = tabKeeper.get(KEY);
  if (path === null) localKeeper.remove(KEY);
  else localKeeper.set(KEY, path);
}

export function rememberedPage(): string | null {
  const path = tabKeeper.get(KEY) ?? localKeeper.get(KEY);
  return path !== null && ALLOWED.test(path) ? path : null;
}

/** Returns the remembered page, once. */
export function takeRememberedPage(): string | null {
  const path = rememberedPage();
  tabKeeper.remove(KEY);
  localKeeper.remove(KEY);
  return path;
}
