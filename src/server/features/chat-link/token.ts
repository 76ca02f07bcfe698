import { timingSafeEqual } from 'node:crypto';
import { idOf } from '../../../contract/id.ts';
import type { Vault } from '../../identity/secrets.ts';

const LinkId = idOf('chatLink');

/** The link's id with a proof that we made it, so that no secret has to be stored to show the link again. */
export function tokenOf(vault: Vault, linkId: string): string {
  return `${linkId}.${vault.prove(linkId, 'chat link')}`;
}

/** Undefined for what we did not make. */
export function linkIdOf(vault: Vault, token: string): string | undefined {
  const [linkId = '', proof = '', ...rest] = token.split('.');
  if (rest.length > 0 || !LinkId.safeParse(linkId).success) return undefined;
  const given = Buffer.from(proof);
  const right = Buffer.from(vault.prove(linkId, 'chat link'));
  return given.length === right.length && timingSafeEqual(given, right) ? linkId : undefined;
}
