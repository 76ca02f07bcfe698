import { createPublicKey } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { name, text } from '../../../contract/common.ts';
import { USER_TOKEN_MAX_HOURS } from '../../../contract/limits.ts';
import { AppError, invalidField } from '../../app-error.ts';
import type { Vault } from '../../identity/secrets.ts';
import type { StoredAccess } from './store.ts';

const CLOCK_TOLERANCE_SECONDS = 30;
const RSA_MIN_BITS = 2048;

/**
 * The name format of people in a channel (`features/channel/receive.ts`): nobody else may use it, whatever names a site
 * lets its users choose.
 */
const ofChannel = /^plg_\w{26} /;

const Claims = z.object({
  sub: text(255, 1).refine((sub) => !ofChannel.test(sub)),
  exp: z.number(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  name: name(80).optional().catch(undefined),
});

/** Who somebody is, according to a site. */
interface SiteUser {
  subject: string;
  name: string | undefined;
}

/**
 * What a user token proves. The algorithm is the one the agent is configured for, never the token's choice. Errors: 401
 * for a token that is expired, expires too late, names nobody, is for another agent or is not signed as required.
 */
export async function readUserToken(
  vault: Vault,
  access: StoredAccess | undefined,
  agentId: string,
  token: string,
): Promise<SiteUser> {
  const { key, algorithm } = verifierOf(vault, access);
  const payload = await jwtVerify(token, key, {
    algorithms: [algorithm],
    requiredClaims: ['sub', 'exp'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }).then(
    (verified) => verified.payload,
    (error: unknown) => {
      if (error instanceof errors.JWTExpired) throw refused('The user token has expired.');
      if (error instanceof errors.JWSInvalid)
        throw refused('The user token is not a JWT. Send the token itself, as text.');
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw refused();
      throw error;
    },
  );
  const claims = Claims.safeParse(payload);
  if (!claims.success) throw refused('The user token needs a sub and an exp.');
  const { sub, exp, aud, name } = claims.data;
  // A token signed with the same key for another purpose is not valid for this agent.
  if (aud !== undefined && ![aud].flat().includes(agentId))
    throw refused('The user token is for another audience.');
  if (exp > Date.now() / 1000 + USER_TOKEN_MAX_HOURS * 3600 + CLOCK_TOLERANCE_SECONDS)
    throw refused(`The user token must expire within ${USER_TOKEN_MAX_HOURS} hours.`);
  return { subject: sub, name };
}

function verifierOf(vault: Vault, access: StoredAccess | undefined) {
  if (access?.embedPublicKey) return { key: createPublicKey(access.embedPublicKey), algorithm: 'RS256' };
  if (!access?.embedSecret) throw refused('This agent does not accept user tokens.');
  const secret = vault.decrypt(access.embedSecret, access.agentId);
  return { key: new TextEncoder().encode(secret), algorithm: 'HS256' };
}

/** The key as it is stored. Errors: 400 for anything but a public RSA key of at least 2,048 bits; above all for a private one. */
export function requirePublicKey(pem: string): string {
  const wrong = () =>
    invalidField('publicKey', `Must be a public RSA key of at least ${RSA_MIN_BITS} bits, in PEM.`);
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) throw wrong();
  try {
    const key = createPublicKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType !== 'rsa' || bits < RSA_MIN_BITS) throw wrong();
    return key.export({ type: 'spki', format: 'pem' }) as string;
  } catch {
    throw wrong();
  }
}

function refused(detail?: string): AppError {
  return new AppError('visitor/user-token-refused', detail);
}
