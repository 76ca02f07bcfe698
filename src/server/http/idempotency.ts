import { createHash } from 'node:crypto';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { IDEMPOTENCY_IN_PROGRESS_SECONDS, IDEMPOTENCY_KEPT_HOURS } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import { idempotencyKey } from '../db/schema/index.ts';
import type { Database } from '../db/scope.ts';
import type { Vault } from '../identity/secrets.ts';

export interface IdempotentRequest {
  userId: string;
  key: string;
  operationId: string;
  input: unknown;
}

/**
 * Runs `work` once for a key: later requests of the same person with the same key and input get the same answer, for a
 * day. Another input is a 422, a request while the first is under way a 409. A failure is not kept: it can be tried again.
 * A request that was under way when its process died is released after a minute. Answers are kept encrypted: one may hold a
 * secret that is shown once, such as an API key.
 */
export async function once<T>(
  { db, vault }: { db: Database; vault: Vault },
  request: IdempotentRequest,
  work: () => Promise<T>,
): Promise<T> {
  const requestHash = createHash('sha256')
    .update(`${request.operationId}\n${JSON.stringify(request.input)}`)
    .digest('base64url');
  const isMine = and(eq(idempotencyKey.userId, request.userId), eq(idempotencyKey.key, request.key));
  const earlier = await db.in({}, async (tx) => {
    await tx.delete(idempotencyKey).where(and(isMine, isStale));
    const claimed = await tx
      .insert(idempotencyKey)
      .values({ userId: request.userId, key: request.key, requestHash })
      .onConflictDoNothing()
      .returning({ key: idempotencyKey.key });
    if (claimed.length > 0) return undefined;
    return (await tx.select().from(idempotencyKey).where(isMine))[0];
  });
  if (earlier) return replay<T>(vault, earlier, requestHash);
  try {
    const body = await work();
    const answer = { sealed: vault.encrypt(JSON.stringify({ body }), ownerOf(request)) };
    await db.in({}, (tx) => tx.update(idempotencyKey).set({ answer }).where(isMine));
    return body;
  } catch (error) {
    await db.in({}, (tx) => tx.delete(idempotencyKey).where(isMine)).catch(() => undefined);
    throw error;
  }
}

const isStale = sql`(${lt(idempotencyKey.createdAt, sql`now() - make_interval(hours => ${IDEMPOTENCY_KEPT_HOURS})`)}
  or (${isNull(idempotencyKey.answer)} and ${lt(idempotencyKey.createdAt, sql`now() - make_interval(secs => ${IDEMPOTENCY_IN_PROGRESS_SECONDS})`)}))`;

function replay<T>(vault: Vault, earlier: typeof idempotencyKey.$inferSelect, requestHash: string): T {
  if (earlier.requestHash !== requestHash) throw new AppError('idempotency/mismatch');
  if (!earlier.answer) throw new AppError('idempotency/in-progress', undefined, { retryAfterSeconds: 1 });
  const { body } = JSON.parse(vault.decrypt(earlier.answer.sealed, ownerOf(earlier))) as { body: T };
  return body;
}

function ownerOf({ userId, key }: { userId: string; key: string }): string {
  return `${userId} ${key}`;
}
