import { randomBytes } from 'node:crypto';
import type { Vault } from './secrets.ts';

/** As Standard Webhooks has it. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Sealed for this webhook alone. */
export function sealSigningSecret(vault: Vault, pluginId: string, signingSecret: string): string {
  return vault.encrypt(JSON.stringify({ signingSecret }), pluginId);
}

export function signingSecretOf(
  vault: Vault,
  { id, credentials }: { id: string; credentials: string | null },
): string {
  if (credentials === null) throw new Error('A webhook without a secret.');
  const { signingSecret } = JSON.parse(vault.decrypt(credentials, id)) as { signingSecret: string };
  return signingSecret;
}
