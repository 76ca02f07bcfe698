import { randomUUID } from 'node:crypto';
import { stat, statfs } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import { newestMigration } from '../db/migrate.ts';
import { openVault } from '../identity/secrets.ts';
import { openStorage } from '../storage/open.ts';
import { migrationOf } from './contents.ts';
import { lookAtRedis } from './doctor-redis.ts';
import { lookAtReplica } from './doctor-replica.ts';
import { lookAtVectors } from './doctor-vectors.ts';
import { error, ok, warning, type Finding } from './findings.ts';
import { countSealed } from './rotate.ts';
import { filesFolderOf, secretKeyFileOf, withDatabase } from './open.ts';

/** Below this, imports and the database's own log may soon run out of space. */
const LEAST_FREE_BYTES = 2 * 1024 ** 3;
const MAIL_TIMEOUT_MS = 10_000;
/** An unavailable store is reported, not waited for. */
const STORE_MS = 5000;

/**
 * Tests everything the installation needs, creates nothing that is missing, and reports its findings. Returns 1 if
 * something doesn't work.
 */
export async function examine(config: Config, say: (line: string) => void): Promise<number> {
  const signs = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' };
  const findings: Finding[] = [];
  for (const look of [
    lookAtAddress,
    lookAtDisk,
    lookAtSecret,
    lookAtDatabase,
    lookAtReplica,
    lookAtRedis,
    lookAtStorage,
    lookAtMail,
  ])
    for (const finding of await tried(look, config)) {
      findings.push(finding);
      say(`${signs[finding.level]}  ${finding.text}`);
    }
  return findings.some(({ level }) => level === 'error') ? 1 : 0;
}

type Look = (config: Config) => Promise<Finding[]>;

const isThere = (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );

async function tried(look: Look, config: Config): Promise<Finding[]> {
  return look(config).catch((cause: unknown) => [error(wordsOf(cause))]);
}

/** Includes the cause, which is what can be fixed. */
function wordsOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const [said = failure.name] = failure.message.split('\n');
  // An error that wraps another only for its message has said everything.
  return failure instanceof AppError && failure.cause !== undefined
    ? `${said} (${wordsOf(failure.cause)})`
    : said;
}

const lookAtAddress: Look = async ({ publicUrl }) => {
  if (publicUrl === undefined)
    return [warning('PUBLIC_URL is not set: links in e-mails lead to this machine.')];
  return [
    publicUrl.startsWith('https:')
      ? ok(`People reach it at ${publicUrl}.`)
      : warning(`${publicUrl} is not encrypted: browsers keep secrets and microphones from it.`),
  ];
};

const lookAtDisk: Look = async ({ dataDir }) => {
  const room = await statfs(dataDir).catch(() => undefined);
  if (!room) return [ok(`${dataDir} does not exist yet: the first start creates it.`)];
  const { bavail, bsize } = room;
  const free = bavail * bsize;
  const text = `${dataDir} has ${(free / 1024 ** 3).toFixed(1)} GiB left.`;
  return [free < LEAST_FREE_BYTES ? warning(text) : ok(text)];
};

const lookAtSecret: Look = async (config) => {
  const { secretKey, databaseUrl } = config;
  if (secretKey !== undefined) return [ok('Stored secrets are encrypted with SECRET_KEY.')];
  return [
    databaseUrl === undefined
      ? ok('Stored secrets are encrypted with the key in the data folder. A backup contains it.')
      : warning('SECRET_KEY is not set: all servers on one database then need the same data folder.'),
    ...((await isThere(secretKeyFileOf(config)))
      ? []
      : [
          warning(
            `${secretKeyFileOf(config)} does not exist: the next start creates a key, which opens nothing older.`,
          ),
        ]),
  ];
};

/** Without a key nothing is checked: opening the vault would create one. */
async function lookAtSealed(config: Config, connectionString: string): Promise<Finding[]> {
  const { secretKey, operations } = config;
  if (secretKey === undefined && !(await isThere(secretKeyFileOf(config)))) return [];
  const { previous, unreadable } = await countSealed(connectionString, await openVault(config));
  const isReplaced = operations.secretKeyPrevious !== undefined;
  const keys = isReplaced ? 'either key' : 'this key';
  return [
    ...(isReplaced && previous === 0
      ? [ok('No stored secret is encrypted with SECRET_KEY_PREVIOUS any more.')]
      : []),
    ...(previous > 0
      ? [
          warning(
            `${previous} stored secrets are sealed under SECRET_KEY_PREVIOUS: run npx parley rotate-secret.`,
          ),
        ]
      : []),
    ...(unreadable > 0 ? [warning(`${unreadable} stored secrets cannot be read with ${keys}.`)] : []),
  ];
}

const lookAtDatabase: Look = (config) =>
  withDatabase(config, async (connectionString) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      const { rows } = await client.query<{ version: string; size: string; made: boolean }>(
        `select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size,
                to_regclass('drizzle.__drizzle_migrations') is not null as made`,
      );
      const [server] = rows;
      const found = [ok(`PostgreSQL ${server?.version} answers; the database has ${server?.size}.`)];
      if (!server?.made) return [...found, ok('The first start creates the tables.')];
      const [here, known] = [await migrationOf(client), await newestMigration()];
      if (here > known) return [...found, error('The database was written by a newer Parley.')];
      return [
        ...found,
        ...(here < known ? [warning('The next start brings the tables up to date.')] : []),
        ...(here < known ? [] : await lookAtSealed(config, connectionString)),
        ...(here < known ? [] : await lookAtVectors(config, client)),
        ...(await lookAtJobs(client)),
      ];
    } finally {
      await client.end();
    }
  });

async function lookAtJobs(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; waiting: number; failed: number }>(
    `select name, count(*) filter (where state = 'created' and start_after < now() - interval '10 minutes')::int as waiting,
            count(*) filter (where state = 'failed' and completed_on > now() - interval '1 day')::int as failed
       from pgboss.job group by 1 order by 1`,
  );
  const late = rows.filter(({ waiting }) => waiting > 0);
  const failed = rows.filter((row) => row.failed > 0);
  return [
    ...late.map(({ name, waiting }) =>
      warning(`${waiting} jobs of ${name} have waited for over ten minutes: is a worker running?`),
    ),
    ...failed.map((row) => warning(`${row.failed} jobs of ${row.name} failed within a day.`)),
    ...(late.length + failed.length === 0 ? [ok('No jobs are stuck or have failed.')] : []),
  ];
}

const lookAtStorage: Look = async (config) => {
  const { storageUrl, dataDir } = config;
  const folder = filesFolderOf(config);
  // Testing it would create it.
  if (folder !== undefined && !(await isThere(folder)))
    return [warning(`The folder ${folder} for files does not exist: the next start creates it.`)];
  const storage = await openStorage(storageUrl, dataDir, { operationMs: STORE_MS, uploadMs: STORE_MS });
  const key = `doctor-${randomUUID()}`;
  await storage.put(key, Buffer.from('ok'));
  const read = await storage.get(key);
  await storage.remove(key);
  return [
    read.toString() === 'ok'
      ? ok('Files can be written, read and removed.')
      : error('A file came back changed.'),
  ];
};

const lookAtMail: Look = async ({ smtpUrl }) => {
  if (smtpUrl === undefined) return [warning('SMTP_URL is not set: e-mails stay here, in the log.')];
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
  });
  try {
    await transport.verify();
    return [ok('The mail server accepts the user and password.')];
  } finally {
    transport.close();
  }
};
