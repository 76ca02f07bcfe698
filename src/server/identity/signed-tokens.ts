import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { SIGNING_ALGORITHM, type SigningKeys } from './keys.ts';
import { recall, remember } from './verified-tokens.ts';

const ISSUER = 'parley';
const CLOCK_TOLERANCE_SECONDS = 30;

/** What distinguishes one kind of token from every other, so that none passes for another. */
export interface TokenKind {
  /** The header's `typ`. */
  typ: string;
  audience: string;
  /** At most as long as a retired key stays known. */
  lifetimeSeconds: number;
  /** Besides `exp` and `iat`. */
  required: readonly string[];
}

export async function signToken(
  keys: SigningKeys,
  kind: TokenKind,
  claims: JWTPayload,
): Promise<{ token: string; expiresAt: Date }> {
  const { kid, privateKey } = await keys.current();
  const expiresAt = new Date(Date.now() + kind.lifetimeSeconds * 1000);
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: kind.typ })
    .setIssuer(ISSUER)
    .setAudience(kind.audience)
    .setIssuedAt()
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { token, expiresAt };
}

/** Undefined for anything but an unexpired token of this kind and installation. We set the algorithm, not the token. */
export async function verifyToken<Claims>(
  keys: SigningKeys,
  kind: TokenKind,
  token: string,
): Promise<Claims | undefined> {
  const known = recall(keys, kind.audience, token);
  if (known) return known as Claims;
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
        audience: kind.audience,
        typ: kind.typ,
        // Also rejects tokens dated in the future; the clocks of several servers may differ a little.
        maxTokenAge: kind.lifetimeSeconds,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: [...kind.required, 'exp', 'iat'],
      },
    );
    remember(keys, kind.audience, token, payload);
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
