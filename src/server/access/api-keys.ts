import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { AppError } from '../app-error.ts';
import type { KeyCaller } from '../call.ts';
import { apiKey } from '../db/schema/index.ts';
import type { Database } from '../db/scope.ts';
import { hashSecret } from '../identity/secrets.ts';
import { CredentialCache } from '../identity/credential-cache.ts';
import type { ApiRequests } from './api-requests.ts';
import { organizationOf } from './gate.ts';

/** The prefix of every key, so that we and secret scanners recognize a leaked one. */
export const API_KEY_PREFIX = 'parley_';

export interface ApiKeys {
  /**
   * The bearer of this key, counting one request; undefined if the key doesn't exist or was revoked (in other
   * processes: noticed within 3 s). Errors: 429 by the plan.
   */
  identify: (secret: string) => Promise<KeyCaller | undefined>;
  /** From now on this process rejects this organization's revoked keys. */
  forget: (organizationId: string) => void;
}

export function createApiKeys(db: Database, requests: ApiRequests): ApiKeys {
  const seen = new CredentialCache<KeyCaller>();
  return {
    identify: async (secret) => {
      const secretHash = hashSecret(secret);
      const caller = await seen.find(secretHash, () => findKey(db, secretHash));
      if (caller) await requests.take(caller.organizationId);
      return caller;
    },
    forget: (organizationId) => seen.forget((caller) => caller.organizationId === organizationId),
  };
}

async function findKey(db: Database, secretHash: string): Promise<KeyCaller | undefined> {
  const organizationId = await organizationOf(db, 'apiKeySecret', secretHash).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (organizationId === undefined) return undefined;
  return db.in({ organizationId }, async (tx) => {
    const isIt = and(eq(apiKey.secretHash, secretHash), isNull(apiKey.revokedAt));
    const [key] = await tx.select().from(apiKey).where(isIt);
    if (!key) return undefined;
    const isStale = or(isNull(apiKey.lastUsedAt), lt(apiKey.lastUsedAt, sql`now() - interval '1 minute'`));
    await tx
      .update(apiKey)
      .set({ lastUsedAt: sql`now()` })
      .where(and(isIt, isStale));
    return { kind: 'key', keyId: key.id, organizationId, scope: key.scope };
  });
}
