import { SignJWT } from 'jose';
import type { Erasure } from '../../../contract/privacy.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from '../../identity/keys.ts';
import { provenIdOf, provenToken } from '../../identity/proven-id.ts';
import type { Vault } from '../../identity/secrets.ts';
import type { StoredErasure } from './store.ts';

const PURPOSE = 'erasure';

/**
 * The receipt: what was erased and what was kept, signed with the key that signs identity tokens, as a separate kind so
 * that it can't pass for any other token. It never expires and doesn't say whose data it was.
 */
export async function signReceipt(
  keys: SigningKeys,
  { id, scope, createdAt, erased, kept }: StoredErasure,
): Promise<Pick<StoredErasure, 'doneAt' | 'receipt' | 'publicKey'>> {
  const doneAt = new Date();
  const { kid, privateKey } = await keys.current();
  const publicKey = (await keys.jwks()).keys.find((key) => key.kid === kid);
  const receipt = await new SignJWT({
    scope,
    askedAt: createdAt.toISOString(),
    doneAt: doneAt.toISOString(),
    erased,
    kept,
  })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'erasure+jwt' })
    .setIssuer('parley')
    .setAudience('parley:erasure')
    .setSubject(id)
    .setIssuedAt(doneAt)
    .sign(privateKey);
  return { doneAt, receipt, publicKey: { ...publicKey } };
}

export function erasureOf(vault: Vault, stored: StoredErasure): Erasure {
  const { id, scope, createdAt, doneAt, erased, kept, receipt, publicKey } = stored;
  return {
    id,
    token: provenToken(vault, id, PURPOSE),
    scope,
    state: doneAt ? 'done' : 'running',
    askedAt: createdAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
    erased,
    kept,
    receipt,
    publicKey,
  };
}

/** Undefined for a token we did not issue. */
export function erasureIdOf(vault: Vault, token: string): string | undefined {
  return provenIdOf(vault, 'erasure', token, PURPOSE);
}
