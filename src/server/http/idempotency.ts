import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { IDEMPOTENCY_DEAD_SECONDS, IDEMPOTENCY_KEPT_HOURS } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import { idempotencyKey } from '../db/schema/index.ts';
import { livingRunners } from '../db/runner.ts';
import type { Database, Tx } from '../db/scope.ts';
import { answerOwner } from '../identity/sealed-owners.ts';
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
 * A request that was under way when its process died is released as soon as that is known. Answers are kept encrypted: one
 * may hold a secret that is shown once, such as an API key.
 */
export async function once<T>(
  { db, vault, runner }: { db: Database; vault: Vault; runner: number },
  request: IdempotentRequest,
  work: () => Promise<T>,
): Promise<T> {
  const requestHash = createHash('sha256')
    .update(`${request.operationId}\n${JSON.stringify(request.input)}`)
    .digest('base64url');
  const isMine = and(eq(idempotencyKey.userId, request.userId), eq(idempotencyKey.key, request.key));
  const isOurs = and(isMine, eq(idempotencyKey.runner, runner));
  const claim = { userId: request.userId, key: request.key, requestHash, runner };
  const earlier = await db.in({}, async (tx) => {
    if (await take(tx, claim)) return undefined;
    const freed = await tx.delete(idempotencyKey).where(and(isMine, isStale)).returning();
    if (freed.length > 0 && (await take(tx, claim))) return undefined;
    return (await tx.select().from(idempotencyKey).where(isMine))[0];
  });
  if (earlier) return replay<T>(vault, earlier, requestHash);
  let body: T;
  try {
    body = await work();
  } catch (error) {
    await eventually(() => db.in({}, (tx) => tx.delete(idempotencyKey).where(isOurs)));
    throw error;
  }
  const answer = { sealed: vault.encrypt(JSON.stringify({ body }), answerOwner(request)) };
  await eventually(() => db.in({}, (tx) => tx.update(idempotencyKey).set({ answer }).where(isOurs)));
  return body;
}

async function take(tx: Tx, claim: typeof idempotencyKey.$inferInsert): Promise<boolean> {
  const taken = await tx
    .insert(idempotencyKey)
    .values(claim)
    .onConflictDoNothing()
    .returning({ key: idempotencyKey.key });
  return taken.length > 0;
}

/**
 * Kept long enough, or left by a process that has died. A process is given a moment, since it can lose the connection that
 * shows that it lives.
 */
const isStale = sql`(${lt(idempotencyKey.createdAt, sql`now() - make_interval(hours => ${IDEMPOTENCY_KEPT_HOURS})`)}
  or (${isNull(idempotencyKey.answer)}
    and ${lt(idempotencyKey.createdAt, sql`now() - make_interval(secs => ${IDEMPOTENCY_DEAD_SECONDS})`)}
    and coalesce(${idempotencyKey.runner}, 0) not in (${sql.raw(livingRunners)})))`;

const TRIES = 60;
const TRY_AGAIN_MS = 1000;

/** Tries again while the database is away: until then the key is under way, which its person is told. */
async function eventually(write: () => Promise<unknown>): Promise<void> {
  const tryAgain = async (): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      await delay(TRY_AGAIN_MS, undefined, { ref: false });
      if (
        await write().then(
          () => true,
          () => false,
        )
      )
        return;
    }
  };
  await write().catch(() => void tryAgain());
}

function replay<T>(vault: Vault, earlier: typeof idempotencyKey.$inferSelect, requestHash: string): T {
  if (earlier.requestHash !== requestHash) throw new AppError('idempotency/mismatch');
  if (!earlier.answer) throw new AppError('idempotency/in-progress', undefined, { retryAfterSeconds: 1 });
  const { body } = JSON.parse(vault.decrypt(earlier.answer.sealed, answerOwner(earlier))) as { body: T };
  return body;
}
