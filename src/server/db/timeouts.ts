import type pg from 'pg';

/** How long PostgreSQL may work on one statement of somebody who waits, unless the operator says otherwise. */
export const DATABASE_TIMEOUT_SECONDS = 15;

/** What belongs to the background is long, but has an end: nothing waits for ever for a server that is silent. */
const BACKGROUND_TIMEOUT_SECONDS = 600;
/** A silent network is asked from then on whether the other side still lives. */
const SILENT_MS = 10_000;

/**
 * What PostgreSQL asks its other side in turn. A machine that is gone without a word would keep its locks for hours otherwise, and with them
 * what it had under way. Over a Unix socket it does nothing.
 */
const asked = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  // The same for what has been sent there and is not confirmed: while it is, nothing is asked.
  tcp_user_timeout: 25_000,
};

/** For every connection, also for those that wait as long as it takes. */
export const patient = {
  options: written(asked),
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: SILENT_MS,
} satisfies pg.PoolConfig;

/** For a connection on which only quick statements are made. */
export const quick = { ...patient, query_timeout: 10_000 } satisfies pg.ClientConfig;

/** After so long a statement of somebody who waits is not answered any more. */
export function unansweredAfterMs(seconds: number): number {
  return (seconds * 4000) / 3;
}

/**
 * The connections of those who wait for an answer: whatever happens to the database or the network, each statement ends within
 * `seconds` and a third. A lock is given up before the statement, and PostgreSQL gives up before we do, so that it says what it was;
 * what it does not answer at all, we end.
 */
export function serving(role: string | undefined, seconds: number): pg.PoolConfig {
  return {
    ...patient,
    connectionTimeoutMillis: (seconds * 2000) / 3,
    query_timeout: unansweredAfterMs(seconds),
    options: optionsOf(role, { statement: seconds, lock: seconds / 3, idle: seconds * 4 }),
  };
}

/**
 * The connections of work in the background. A lock is waited for: who holds it has an end. Nobody was told of these commits: what a
 * crash takes of them is done again, because the job that did it is not done until its own commit, which waits for all before it to be
 * on the disk.
 */
export function working(role: string): pg.PoolConfig {
  const seconds = BACKGROUND_TIMEOUT_SECONDS;
  return {
    ...patient,
    query_timeout: seconds * 1100,
    options: `${optionsOf(role, { statement: seconds, lock: 0, idle: seconds })} -c synchronous_commit=off`,
  };
}

/**
 * The role in the start-up packet makes every connection subject to row-level security; without one it is the owner's. In seconds;
 * 0: no limit.
 */
function optionsOf(
  role: string | undefined,
  { statement, lock, idle }: Record<'statement' | 'lock' | 'idle', number>,
): string {
  const settings = {
    ...(role === undefined ? {} : { role }),
    statement_timeout: Math.ceil(statement * 1000),
    lock_timeout: Math.ceil(lock * 1000),
    // Who has a transaction open and says nothing has died or is cut off, and their locks with them.
    idle_in_transaction_session_timeout: idle * 1000,
    ...asked,
  };
  return written(settings);
}

/** As a start-up packet has them. */
function written(settings: Record<string, string | number>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
