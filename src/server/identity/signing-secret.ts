import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_OVERLAP_HOURS } from '../../contract/limits.ts';
import type { Vault } from './secrets.ts';

interface SigningSecrets {
  signingSecret: string;
  /** The previous secret, valid for a while so that receivers don't have to switch at the same moment. */
  previous?: { secret: string; until: string };
}

interface Sealed {
  id: string;
  credentials: string | null;
}

/** In the format of Standard Webhooks. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** A new secret, sealed for this webhook only, together with the one it replaces. */
export function rotateSigningSecret(vault: Vault, sealed: Sealed): { secret: string; credentials: string } {
  const secret = newSigningSecret();
  const until = new Date(Date.now() + WEBHOOK_SECRET_OVERLAP_HOURS * 3_600_000).toISOString();
  const [before] = signingSecretsOf(vault, sealed);
  const kept: SigningSecrets = {
    signingSecret: secret,
    ...(before !== undefined && { previous: { secret: before, until } }),
  };
  return { secret, credentials: vault.encrypt(JSON.stringify(kept), sealed.id) };
}

/** The valid secrets, newest first. */
export function signingSecretsOf(vault: Vault, { id, credentials }: Sealed): string[] {
  if (credentials === null) throw new Error('The webhook has no secret.');
  const { signingSecret, previous } = JSON.parse(vault.decrypt(credentials, id)) as SigningSecrets;
  const isOver = previous === undefined || Date.parse(previous.until) < Date.now();
  return isOver ? [signingSecret] : [signingSecret, previous.secret];
}
