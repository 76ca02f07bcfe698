import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, getTableColumns, isNull, lt, not, sql } from 'drizzle-orm';
import pg from 'pg';
import { IDEMPOTENCY_DEAD_SECONDS, IDEMPOTENCY_KEPT_HOURS } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import { marking, type Mark } from '../db/mark.ts';
import { idempotencyKey } from '../db/schema/index.ts';
import { livingRunners } from '../db/runner.ts';
import type { Database, Tx } from '../db/scope.ts';
import { answerOwner } from '../identity/sealed-owners.ts';
import type { Vault } from '../identity/secrets.ts';

interface IdempotentRequest {
  userId: string;
  key: string;
  operationId: string;
  input: unknown;
  /** The call detects by itself what was already done under the same key: if its answer is lost, it may be repeated. */
  isFoundAgain: boolean;
}

/**
 * Runs `work` once per key: for a day, later requests by the same person with the same key and input get the same
 * answer. Different input is a 422, a request while the first is in progress a 409. Failures are not stored, so they
 * can be retried. If a process died during a request, or nobody learned the outcome of its commit, it can be repeated
 * once that is known, provided none of it was done; otherwise its answer is lost, which is a 409: it is never done
 * twice. A key is released if the database did not say whether it was taken. Answers are stored encrypted: one may hold
 * a secret that is shown once, such as an API key.
 */
export async function once<T>(
  { db, vault, runner }: { db: Database; vault: Vault; runner: number },
  request: IdempotentRequest,
  work: () => Promise<T>,
): Promise<T> {
  const requestHash = createHash('sha256')
    .update(`${request.operationId}\n${JSON.stringify(request.input)}`)
    .digest('base64url');
  const claim = { userId: request.userId, key: request.key, requestHash, runner };
  const over = begin(claim);
  const isOurs = and(isOf(claim), eq(idempotencyKey.runner, runner));
  // Never an earlier request's answer.
  const isOpen = and(isOurs, isNull(idempotencyKey.answer));
  const release = () => eventually(() => db.in({}, (tx) => tx.delete(idempotencyKey).where(isOpen)), over);
  // What was done without an answer stays, and has no process any more.
  const leave = async (tx: Tx) => {
    await tx.delete(idempotencyKey).where(and(isOpen, not(idempotencyKey.written)));
    await tx.update(idempotencyKey).set({ runner: null }).where(isOpen);
  };
  let isAsked = false;
  const taking = db.in({}, (tx) => {
    isAsked = true;
    return takeOrFind(tx, claim);
  });
  const earlier = await taking.catch((error: unknown) => {
    // Whether it was taken or not, nobody works under it.
    if (isAsked) void release();
    else over();
    throw error;
  });
  if (earlier) {
    over();
    return replay<T>(vault, earlier, requestHash);
  }
  const mark = markOf(claim);
  let body: T;
  try {
    body = await (request.isFoundAgain ? work() : marking(mark, work));
  } catch (error) {
    await (mark.isUncertain ? eventually(() => db.in({}, leave), over) : release());
    throw error;
  }
  const answer = { sealed: vault.encrypt(JSON.stringify({ body }), answerOwner(request)) };
  await eventually(() => db.in({}, (tx) => tx.update(idempotencyKey).set({ answer }).where(isOurs)), over);
  return body;
}

/** Deletes expired keys with their answers. Runs as the owner because they belong to everybody. */
export async function forgetKeys({ owner }: Pick<Database, 'owner'>): Promise<void> {
  await owner.query('delete from idempotency_key where created_at < now() - make_interval(hours => $1)', [
    IDEMPOTENCY_KEPT_HOURS,
  ]);
}

interface Claim extends Pick<IdempotentRequest, 'userId' | 'key'> {
  requestHash: string;
  runner: number;
}

const isOf = ({ userId, key }: Claim) => and(eq(idempotencyKey.userId, userId), eq(idempotencyKey.key, key));

function markOf({ userId, key, runner }: Claim): Mark {
  const names = [userId, key].map((text) => pg.escapeLiteral(text)).join(', ');
  return { statement: `select mark_key_written(${names}, ${runner})`, isOver: false, isUncertain: false };
}

/**
 * What this process has in progress or has not released yet, with the hash of its request: the row of a key doesn't say
 * which.
 */
const underWay = new Map<string, string>();

/** Errors: 409 and 422 as for any earlier request. Call the returned function when it is over. */
function begin({ userId, key, requestHash, runner }: Claim): () => void {
  const name = `${runner} ${userId} ${key}`;
  const earlier = underWay.get(name);
  if (earlier !== undefined)
    throw earlier === requestHash ? inProgress() : new AppError('idempotency/mismatch');
  underWay.set(name, requestHash);
  return () => void underWay.delete(name);
}

function inProgress(): AppError {
  return new AppError('idempotency/in-progress', undefined, { retryAfterSeconds: 1 });
}

/** Undefined once the key is taken; otherwise what an earlier request left under it. */
async function takeOrFind(tx: Tx, claim: Claim): Promise<Earlier | undefined> {
  if (await take(tx, claim)) return undefined;
  const freed = await tx
    .delete(idempotencyKey)
    .where(and(isOf(claim), isStale))
    .returning();
  if (freed.length > 0 && (await take(tx, claim))) return undefined;
  const columns = { ...getTableColumns(idempotencyKey), isLost };
  const [earlier] = await tx.select(columns).from(idempotencyKey).where(isOf(claim));
  return earlier;
}

async function take(tx: Tx, claim: typeof idempotencyKey.$inferInsert): Promise<boolean> {
  const taken = await tx
    .insert(idempotencyKey)
    .values(claim)
    .onConflictDoNothing()
    .returning({ key: idempotencyKey.key });
  return taken.length > 0;
}

/** No process works on it. A process gets some grace, since it can lose the connection that shows it is alive. */
const isLeft = sql`(${isNull(idempotencyKey.answer)}
  and ${lt(idempotencyKey.createdAt, sql`now() - make_interval(secs => ${IDEMPOTENCY_DEAD_SECONDS})`)}
  and coalesce(${idempotencyKey.runner}, 0) not in (${sql.raw(livingRunners)}))`;

/** Abandoned after part of it was done. */
const isLost = sql<boolean>`(${isLeft} and ${idempotencyKey.written})`;

/** Expired, or abandoned before any of it was done. */
const isStale = sql`(${lt(idempotencyKey.createdAt, sql`now() - make_interval(hours => ${IDEMPOTENCY_KEPT_HOURS})`)}
  or (${isLeft} and not ${idempotencyKey.written}))`;

const TRIES = 60;
const TRY_AGAIN_MS = 1000;

/**
 * Resolves after the first attempt, and keeps retrying while the database is away: until then the key counts as in
 * progress, and its person is told so. `over` is called at the end.
 */
async function eventually(write: () => Promise<unknown>, over: () => void): Promise<void> {
  const isWritten = (): Promise<boolean> =>
    write().then(
      () => true,
      () => false,
    );
  const tryAgain = async (): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      await delay(TRY_AGAIN_MS, undefined, { ref: false });
      if (await isWritten()) return;
    }
  };
  if (await isWritten()) over();
  else void tryAgain().finally(over);
}

type Earlier = typeof idempotencyKey.$inferSelect & { isLost: boolean };

function replay<T>(vault: Vault, earlier: Earlier, requestHash: string): T {
  if (earlier.requestHash !== requestHash) throw new AppError('idempotency/mismatch');
  if (earlier.isLost) throw new AppError('idempotency/answer-lost');
  if (!earlier.answer) throw inProgress();
  const { body } = JSON.parse(vault.decrypt(earlier.answer.sealed, answerOwner(earlier))) as { body: T };
  return body;
}
