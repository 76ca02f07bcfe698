import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { ID_TOKEN_LIFETIME_SECONDS } from '../../contract/limits.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './keys.ts';

const ISSUER = 'parley';
const AUDIENCE = 'parley:identity';
const CLOCK_TOLERANCE_SECONDS = 30;

/** What an identity token says of its bearer. */
export interface Claims {
  sub: string;
  /** The session it was issued in; the token is worth nothing once that has ended. */
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
  const { kid, privateKey } = await keys.current();
  const expiresAt = new Date(Date.now() + ID_TOKEN_LIFETIME_SECONDS * 1000);
  const idToken = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { idToken, expiresAt };
}

/** Undefined for anything but an unexpired identity token of this installation. The algorithm is ours, not the token's. */
export async function verifyIdToken(keys: SigningKeys, token: string): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify<JWTPayload & Claims>(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await keys.verifier(kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [SIGNING_ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: 'JWT',
        // Also refuses what claims to be from the future; the clocks of several servers may differ a little.
        maxTokenAge: ID_TOKEN_LIFETIME_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['sub', 'sid', 'exp', 'iat'],
      },
    );
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
