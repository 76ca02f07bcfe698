import { createStore } from '../store.ts';

/** What browsers send that can install a page; no standard has its type. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

/** The browser's offer to install this page as an app; null where there is none, or it is installed. */
export const installOffer = createStore<InstallOffer | null>(null);

export function startInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // The page offers it in its own menus, not in a bar over what somebody came to do.
    event.preventDefault();
    installOffer.set(event as InstallOffer);
  });
  addEventListener('appinstalled', () => installOffer.set(null));
}

/** An offer can be taken up once. */
export function install(): void {
  const current = installOffer.get();
  installOffer.set(null);
  void current?.prompt();
}
