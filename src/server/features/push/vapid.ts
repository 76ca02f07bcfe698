import { createECDH } from 'node:crypto';
import type { Vault } from '../../identity/secrets.ts';

interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * The key pair by which push services know this installation (RFC 8292), made from its secret: every process has the same, and
 * nothing has to be stored. With another secret browsers have to be asked again.
 */
export function vapidKeysOf(vault: Pick<Vault, 'prove'>): VapidKeys {
  const privateKey = vault.prove('vapid', 'web push');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return { publicKey: pair.getPublicKey('base64url'), privateKey };
}
