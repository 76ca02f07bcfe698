import type pg from 'pg';

/** The default statement timeout for interactive work. */
export const DATABASE_TIMEOUT_SECONDS = 15;

/** Background statements are long but finite: nothing waits forever for an unresponsive server. */
const BACKGROUND_TIMEOUT_SECONDS = 600;
/** After this much silence, the network is probed for whether the other side is still alive. */
const SILENT_MS = 10_000;

/**
 * PostgreSQL's own probing of its clients. Otherwise a machine that disappeared silently would keep its locks for
 * hours, and with them its work in progress. No effect over a Unix socket.
 */
const asked = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  // The same for data sent but not acknowledged: while there is any, no probes are sent.
  tcp_user_timeout: 25_000,
};

/** For every connection, including those without a timeout. */
export const patient = {
  options: written(asked),
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: SILENT_MS,
} satisfies pg.PoolConfig;

/** For a connection that only runs quick statements. */
export const quick = { ...patient, query_timeout: 10_000 } satisfies pg.ClientConfig;

/** When an interactive statement is considered unanswered. */
export function unansweredAfterMs(seconds: number): number {
  return (seconds * 4000) / 3;
}

/**
 * The connections for interactive work: whatever happens to the database or network, each statement ends within
 * `seconds` plus a third. Waiting for a lock times out before the statement does, and PostgreSQL gives up before we do,
 * so that it reports the reason; we end whatever it doesn't answer at all.
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
 * The connections for background work. It waits for locks, whose holders are bounded. Nobody was told about these
 * commits: whatever a crash loses is redone, because the job isn't done until its own commit, which waits for all
 * earlier ones to be on disk.
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
 * The role in the startup packet subjects every connection to row-level security; without one, it is the owner's. In
 * seconds; 0: no limit.
 */
function optionsOf(
  role: string | undefined,
  { statement, lock, idle }: Record<'statement' | 'lock' | 'idle', number>,
): string {
  const settings = {
    ...(role === undefined ? {} : { role }),
    statement_timeout: Math.ceil(statement * 1000),
    lock_timeout: Math.ceil(lock * 1000),
    // A silent client with an open transaction has died or is cut off, and its locks must go with it.
    idle_in_transaction_session_timeout: idle * 1000,
    ...asked,
  };
  return written(settings);
}

/** In the startup packet's format. */
function written(settings: Record<string, string | number>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
