import { isId, type IdKind } from '../../contract/id-format.ts';
import type { Vault } from './secrets.ts';

/** An ID with a proof that we issued it for this purpose, so no secret has to be stored to show it again. */
export function provenToken(vault: Vault, id: string, purpose: string): string {
  return `${id}.${vault.prove(id, purpose)}`;
}

/** Undefined for a token we did not issue. */
export function provenIdOf(vault: Vault, kind: IdKind, token: string, purpose: string): string | undefined {
  const [id = '', proof = '', ...rest] = token.split('.');
  if (rest.length > 0 || !isId(kind, id)) return undefined;
  return vault.proves(id, purpose, proof) ? id : undefined;
}
