import { provenIdOf, provenToken } from '../../identity/proven-id.ts';
import type { Vault } from '../../identity/secrets.ts';

const PURPOSE = 'chat link';

/** The end of the link's address. */
export function tokenOf(vault: Vault, linkId: string): string {
  return provenToken(vault, linkId, PURPOSE);
}

/** Undefined for a token we didn't issue. */
export function linkIdOf(vault: Vault, token: string): string | undefined {
  return provenIdOf(vault, 'chatLink', token, PURPOSE);
}
