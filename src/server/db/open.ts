import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import { keepEmbedded } from './embedded-keeper.ts';
import { APP_ROLE, migrate } from './migrate.ts';
import { readingOverReplica } from './replica.ts';
import { createDatabase, type Database, type Waits } from './scope.ts';
import { isReadOnly } from './errors.ts';
import { DATABASE_TIMEOUT_SECONDS, patient, serving, working } from './timeouts.ts';

export interface OpenDatabase {
  database: Database;
  /** The same for background work: it takes no connections from requests, and less CPU time. */
  background: Database;
  connectionString: string;
  /** By purpose. */
  pools: Record<'requests' | 'background' | 'owner' | 'boundedOwner', pg.Pool> & { replica?: pg.Pool };
  close: () => Promise<void>;
}

/** Called once before an older, non-empty schema changes; if it fails, nothing is changed. */
type BeforeUpgrade = (connectionString: string) => Promise<void>;

/** This program's SQL requires at least PostgreSQL 15. */
const OLDEST_SERVER_VERSION = 150_000;
const BACKGROUND_CONNECTIONS = 6;
const OWNER_CONNECTIONS = 4;
/** Anything still running then ends with its connection when the embedded database stops. */
const CLOSE_WAITS_MS = 5000;
/** A replica that takes longer to connect to is not used. */
const REPLICA_WAIT_MS = 1000;
/** The same as for import workers; see `features/knowledge/worker`. */
const NICENESS = 10;

/** Starts or finds PostgreSQL, brings its schema up to date and opens the pools. */
export async function openDatabase(
  config: Config,
  log: Log,
  beforeUpgrade?: BeforeUpgrade,
  waits?: Waits,
): Promise<OpenDatabase> {
  if (config.databaseUrl) return connect(config.databaseUrl, config, log, beforeUpgrade, waits);
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir });
  const keeper = await keepEmbedded(embedded, config.dataDir, log);
  const open = await connect(embedded.connectionString, config, log, beforeUpgrade, waits).catch(
    async (error: unknown) => {
      // It would outlive a failed start.
      await keeper.stop();
      throw error;
    },
  );
  return {
    ...open,
    close: async () => {
      const late = delay(CLOSE_WAITS_MS, undefined, { ref: false });
      await Promise.race([open.close(), late]).finally(() => keeper.stop());
    },
  };
}

export async function connect(
  connectionString: string,
  {
    databasePoolSize,
    databaseTimeoutSeconds = DATABASE_TIMEOUT_SECONDS,
    databaseReplicaUrl,
  }: Pick<Config, 'databasePoolSize'> &
    Partial<Pick<Config, 'databaseTimeoutSeconds' | 'databaseReplicaUrl'>>,
  log: Log,
  beforeUpgrade: BeforeUpgrade = async () => undefined,
  waits?: Waits,
): Promise<OpenDatabase> {
  // Without timeouts: migrations and sweeps take as long as they take.
  const owner = createPool(connectionString, { ...patient, max: OWNER_CONNECTIONS }, log);
  try {
    await checkServer(owner);
    await migrate(owner, () => beforeUpgrade(connectionString));
  } catch (error) {
    await owner.end();
    throw explainStart(error);
  }
  const asRequests = { ...serving(APP_ROLE, databaseTimeoutSeconds), max: databasePoolSize };
  const app = createPool(connectionString, asRequests, log);
  const replica =
    databaseReplicaUrl &&
    createPool(databaseReplicaUrl, { ...asRequests, connectionTimeoutMillis: REPLICA_WAIT_MS }, log);
  const asBackground = { ...working(APP_ROLE), max: BACKGROUND_CONNECTIONS, onConnect: yieldToOthers };
  const background = createPool(connectionString, asBackground, log);
  const boundedOwner = createPool(
    connectionString,
    { ...serving(undefined, databaseTimeoutSeconds), max: OWNER_CONNECTIONS },
    log,
  );
  const owners = { owner, boundedOwner };
  const pools = { requests: app, background, ...owners, ...(replica ? { replica } : {}) };
  const readingOver = replica ? readingOverReplica({ primary: app, replica }, log) : undefined;
  return {
    connectionString,
    pools,
    database: createDatabase(app, owners, { waits, background, readingOver }),
    background: createDatabase(background, owners),
    close: async () => {
      for (const pool of Object.values(pools)) await pool.end();
    },
  };
}

function createPool(connectionString: string, options: pg.PoolConfig, log: Log): pg.Pool {
  // Statements are pipelined if their sender doesn't wait for the previous one.
  const pool = new pg.Pool({ connectionString, pipeline: true, ...options });
  // Without a listener, a broken idle connection would end the process.
  const lost = (error: Error): void => {
    if (!pool.ending) log.warn({ err: error }, 'database connection lost');
  };
  pool.on('error', lost);
  // The same for one that breaks in use: its user sees the error from their statement.
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/** Lowers the priority of its server process, if that runs on this machine and we may change it. */
async function yieldToOthers(client: pg.ClientBase): Promise<void> {
  const isHere = client instanceof pg.Client && client.host.startsWith('/');
  if (!isHere) return;
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    for (const { pid } of rows) setPriority(pid, NICENESS);
  } catch {
    // It may be someone else's process.
  }
}

function ignore(): void {}

async function checkServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const { version, encoding } = rows[0] ?? { version: 0, encoding: '' };
  if (version < OLDEST_SERVER_VERSION) throw new StartError('PostgreSQL 15 or newer is needed.');
  if (encoding !== 'UTF8')
    throw new StartError(
      `The database of DATABASE_URL keeps text as ${encoding}, which does not hold every language. Make it as UTF8: CREATE DATABASE parley ENCODING 'UTF8' TEMPLATE template0;`,
    );
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);

/** How Node names a certificate that it does not trust. */
const untrusted = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The underlying cause: an error from the query library only says what was asked. */
export function causeOf(failure: unknown): unknown {
  return failure instanceof Error && !(failure instanceof StartError) && failure.cause !== undefined
    ? causeOf(failure.cause)
    : failure;
}

/** The same as `explainStart` once other services are connected to as well: it words only what the database said. */
export function explainRefusal(failure: unknown): unknown {
  return causeOf(failure) instanceof pg.DatabaseError ? explainStart(failure) : failure;
}

/** Worded for the operator if they can fix it; otherwise unchanged. */
export function explainStart(failure: unknown): unknown {
  const error = causeOf(failure);
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === '53100') return new StartError('The database’s disk is full. Free some space.');
  if (code === '28P01') return new StartError('The database refused the user or password of DATABASE_URL.');
  // It may be the user, this machine's address, or that the connection is not encrypted: only the server knows.
  if (code === '28000')
    return new StartError(
      `The database refused the connection: ${error.message}.${error.message.endsWith('no encryption') ? ' Add ?sslmode=verify-full to DATABASE_URL.' : ''}`,
    );
  // Since PostgreSQL 15, all privileges on a database do not include making tables in it.
  if (code === '42501')
    return new StartError(
      `The user of DATABASE_URL may not make tables (${error.message}). Run once as an administrator: ALTER DATABASE its_name OWNER TO that_user;`,
    );
  if (untrusted.has(code))
    return new StartError(
      `The certificate of the database of DATABASE_URL is not trusted: ${error.message}. Add sslrootcert=/path/to/ca.pem, the certificate of its authority, or sslmode=no-verify to encrypt without checking.`,
    );
  if (error.message === 'The server does not support SSL connections')
    return new StartError(
      'The database of DATABASE_URL does not encrypt. Remove sslmode, or turn ssl on there.',
    );
  if (code === '3D000') return new StartError('The database named in DATABASE_URL does not exist.');
  if (isReadOnly(error))
    return new StartError(
      'The database of DATABASE_URL is not writable: it is a replica or read-only. Use the primary.',
    );
  if (code === '53300')
    return new StartError(`The database has no connections left (${error.message}). Allow more.`);
  if (code === '57P03')
    return new StartError('The database is not ready: it is starting, stopping or recovering.');
  // A missing socket, not any other missing file.
  const isSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
  if (isSocket || unreachable.has(code) || /timeout exceeded|Connection terminated/.test(error.message))
    return new StartError(`The database of DATABASE_URL cannot be reached (${code || 'no answer'}).`);
  return failure;
}
