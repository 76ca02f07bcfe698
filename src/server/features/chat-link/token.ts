import { provenIdOf, provenToken } from '../../identity/proven-id.ts';
import type { Vault } from '../../identity/secrets.ts';

const PURPOSE = 'chat link';

/** What the link's address ends with. */
export function tokenOf(vault: Vault, linkId: string): string {
  return provenToken(vault, linkId, PURPOSE);
}

/** Undefined for what we did not make. */
export function linkIdOf(vault: Vault, token: string): string | undefined {
  return provenIdOf(vault, 'chatLink', token, PURPOSE);
}
