import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { AppError } from '../app-error.ts';
import type { KeyCaller } from '../call.ts';
import { apiKey } from '../db/schema/index.ts';
import type { Database } from '../db/scope.ts';
import { hashSecret } from '../identity/secrets.ts';
import { CredentialCache } from '../identity/credential-cache.ts';
import type { ApiRequests } from './api-requests.ts';
import { organizationOf } from './gate.ts';

/** Every key begins with this, so that a leaked one is recognised, by us and by secret scanners. */
export const API_KEY_PREFIX = 'parley_';

export interface ApiKeys {
  /**
   * Who bears this key, of whose requests this is one; undefined when there is none such or it was revoked (elsewhere:
   * noticed within 3 s). Errors: 429 by the plan.
   */
  identify: (secret: string) => Promise<KeyCaller | undefined>;
  /** Of keys of this organization that were revoked: they are refused by this process from now on. */
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
