import { createECDH } from 'node:crypto';
import type { push as contract } from '../../../contract/push.ts';
import { AppError } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import * as store from './store.ts';
import { vapidKeysOf } from './vapid.ts';

export function pushHandlers({ db, vault }: Pick<Deps, 'db' | 'vault'>): Handlers<typeof contract> {
  const { publicKey } = vapidKeysOf(vault);
  return {
    key: async () => ({ publicKey }),

    subscribe: async (subscription, { userId }) => {
      requirePoint(subscription.p256dh);
      await db.in({}, (tx) => store.saveSubscription(tx, { ...subscription, userId }));
      return { subscribed: true };
    },

    unsubscribe: async ({ endpoint }, { userId }) => {
      await db.in({}, (tx) => store.deleteSubscription(tx, userId, endpoint));
      return { subscribed: false };
    },
  };
}

/** Errors: 400 for an invalid P-256 public key: nothing could be encrypted to it. */
function requirePoint(p256dh: string): void {
  try {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    pair.computeSecret(p256dh, 'base64url');
  } catch {
    throw new AppError('request/invalid', 'This is not a browser key.');
  }
}
