import { createStore } from '../store.ts';

/** The browsers' event for installing a page; no standard defines its type. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

/** The browser's offer to install this page as an app; null if there is none, or it is installed. */
export const installOffer = createStore<InstallOffer | null>(null);

export function startInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // The page offers it in its own menus, not in a bar that covers the content.
    event.preventDefault();
    installOffer.set(event as InstallOffer);
  });
  addEventListener('appinstalled', () => installOffer.set(null));
}

/** An offer can be used once. */
export function install(): void {
  const current = installOffer.get();
  installOffer.set(null);
  void current?.prompt();
}
