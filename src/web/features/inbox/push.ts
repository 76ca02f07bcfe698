import { laterApi } from '../../api/later-api.ts';

/** Web Push needs a service worker, which only built pages have, and a browser that supports it. */
export const canPush = (): boolean =>
  import.meta.env.PROD && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/**
 * Whether this browser notifies its user; registers again with the server, because another account may have been here
 * meanwhile.
 */
export async function readPush(): Promise<boolean> {
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (subscription) await register(subscription);
  return subscription !== null;
}

/** Asks the person first. Throws if they or the browser refuse. */
export async function startPush(): Promise<void> {
  const { publicKey } = await laterApi.push.key();
  const { pushManager } = await navigator.serviceWorker.ready;
  await register(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
}

export async function stopPush(): Promise<void> {
  const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (!subscription) return;
  await laterApi.push.unsubscribe({ endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await laterApi.push.subscribe({
    endpoint: endpoint ?? '',
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
  });
}
