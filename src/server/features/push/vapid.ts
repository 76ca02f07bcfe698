import { createECDH } from 'node:crypto';
import type { Vault } from '../../identity/secrets.ts';

interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * The key pair that identifies this installation to push services (RFC 8292), derived from its secret: every process
 * has the same, and nothing has to be stored. After a change of secret, browsers must subscribe again.
 */
export function vapidKeysOf(vault: Pick<Vault, 'prove'>): VapidKeys {
  const privateKey = vault.prove('vapid', 'web push');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return { publicKey: pair.getPublicKey('base64url'), privateKey };
}
