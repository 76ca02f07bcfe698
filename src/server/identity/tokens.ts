import { decodeJwt } from 'jose';
import { ID_TOKEN_LIFETIME_SECONDS } from '../../contract/limits.ts';
import type { SigningKeys } from './keys.ts';
import { signToken, verifyToken, type TokenKind } from './signed-tokens.ts';

const ID_TOKEN: TokenKind = {
  typ: 'JWT',
  audience: 'parley:identity',
  lifetimeSeconds: ID_TOKEN_LIFETIME_SECONDS,
  required: ['sub', 'sid'],
};

/** An identity token's claims about its bearer. */
export interface Claims {
  sub: string;
  /** The session it was issued in; the token is worthless once that has ended. */
  sid: string;
  email: string | null;
  email_verified: boolean;
  isAnonymous: boolean;
  member: boolean;
}

export async function signIdToken(
  keys: SigningKeys,
  claims: Claims,
): Promise<{ idToken: string; expiresAt: Date }> {
  const { token, expiresAt } = await signToken(keys, ID_TOKEN, { ...claims });
  return { idToken: token, expiresAt };
}

/** Undefined for anything but an unexpired identity token of this installation. */
export async function verifyIdToken(keys: SigningKeys, token: string): Promise<Claims | undefined> {
  return verifyToken<Claims>(keys, ID_TOKEN, token);
}

/** When a verified token expires. */
export function endOf(verifiedToken: string): Date {
  return new Date((decodeJwt(verifiedToken).exp ?? 0) * 1000);
}
