import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { EMBEDDED_LOCK } from '../db/embedded-keeper.ts';
import { storageAddress } from '../storage/address.ts';
import type { BackupSource } from './backup.ts';
import { uninterrupted, whenInterrupted } from './interruption.ts';

const packageFile = path.join(import.meta.dirname, '../../../package.json');

async function readVersion(): Promise<string> {
  return (JSON.parse(await readFile(packageFile, 'utf8')) as { version: string }).version;
}

export const secretKeyFileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  path.join(dataDir, 'secret.key');

/** Undefined: a bucket. */
export function filesFolderOf({
  storageUrl,
  dataDir,
}: Pick<Config, 'storageUrl' | 'dataDir'>): string | undefined {
  const address = storageAddress(storageUrl, dataDir);
  return address.kind === 'disk' ? address.folder : undefined;
}

/** The source for a backup of this installation. */
export async function sourceOf(config: Config, connectionString: string): Promise<BackupSource> {
  const secretKeyFile = secretKeyFileOf(config);
  const hasKeyFile = config.secretKey === undefined && (await stat(secretKeyFile).catch(() => null)) !== null;
  return {
    connectionString,
    filesFolder: filesFolderOf(config),
    secretKeyFile: hasKeyFile ? secretKeyFile : undefined,
    version: await readVersion(),
  };
}

/**
 * Runs work with this installation's database, even while a server uses it: an embedded one that is not in use is
 * started, and stopped again, however the command ends.
 */
export async function withDatabase<T>(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (connectionString: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl) return work(config.databaseUrl);
  const { connectionString, close } = await uninterrupted(() => openEmbedded(config.dataDir));
  return work(connectionString).finally(() => uninterrupted(close));
}

async function openEmbedded(dataDir: string) {
  const { connectionString, isClaimed, stop, stopAtOnce } = await startEmbeddedPostgres({ dataDir });
  const client = new pg.Client({ connectionString });
  // A broken connection is reported by the next query.
  client.on('error', () => undefined);
  await client.connect();
  const tryLock = () =>
    client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [EMBEDDED_LOCK]);
  // A server that has just restarted it holds no lock for a moment.
  const isOurs = !(await isClaimed()) && ((await tryLock()).rows[0]?.isOurs ?? false);
  const over = whenInterrupted(() => isOurs && stopAtOnce());
  return {
    connectionString,
    close: async () => {
      await client.end();
      if (isOurs) await stop();
      over();
    },
  };
}
