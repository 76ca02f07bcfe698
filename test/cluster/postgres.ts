import { appendFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/server/db/embedded.ts';
import { prepareDebianPostgres, whyNoDebianPostgres, type PreparedPostgres } from '../debian-postgres.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import type { Place } from './network.ts';
import { Program } from './program.ts';

/** A node's PostgreSQL, with a dedicated database. */
export interface ClusterPostgres {
  program: Program;
  /** For the database `parley`, as its owner. */
  url: string;
  /** Its version, its origin, and whether it has pgvector. */
  label: string;
  removeData: () => Promise<void>;
}

/** Five processes use at most 31 connections each. */
const MAX_CONNECTIONS = 300;

/** The PostgreSQL with pgvector that `npm test` unpacks, otherwise the embedded one that comes with the product. */
export async function startPostgres(place: Place, range: string): Promise<ClusterPostgres> {
  const prepared = await (whyNoDebianPostgres() ? prepareEmbedded() : prepareDebianPostgres());
  const { command, hba, password, removeData } = prepared;
  await appendFile(hba, `\nhost all all ${range} scram-sha-256\n`);
  const settings = {
    listen_addresses: '*',
    max_connections: String(MAX_CONNECTIONS),
    jit: 'off',
  };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = `postgres://postgres:${password}@${place.address}:5432`;
  const program = new Program(place, {
    command: [...command, ...given],
    isReady: async () => (await ask(`${server}/postgres`, 'select 1')).length === 1,
  });
  try {
    await program.start();
    await ask(`${server}/postgres`, 'create database parley');
    const [about] = await ask(
      `${server}/parley`,
      `select split_part(current_setting('server_version'), ' ', 1) || ' (${prepared.from}), ' || coalesce(
        (select 'with pgvector ' || default_version from pg_available_extensions where name = 'vector'), 'without pgvector') as label`,
    );
    const label = `PostgreSQL ${about?.['label'] as string}`;
    return { program, url: `${server}/parley`, label, removeData };
  } catch (error) {
    await program.kill();
    await removeData();
    throw error;
  }
}

/** The rows of one statement, on a separate connection. */
export async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Created by the product itself, then run as a program of the node: it listens on the network there, which it does
 * nowhere else.
 */
async function prepareEmbedded(): Promise<PreparedPostgres> {
  const folder = await makeTemporaryFolder('cluster-postgres');
  const embedded = await startEmbeddedPostgres({ dataDir: folder });
  await embedded.stop();
  const data = path.join(folder, 'postgres', 'cluster');
  const [program = ''] = (await readFile(path.join(data, 'postmaster.opts'), 'utf8')).split(' ');
  return {
    from: 'embedded',
    command: ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', program, '-D', data],
    hba: path.join(data, 'pg_hba.conf'),
    password: (await readFile(path.join(folder, 'postgres.password'), 'utf8')).trim(),
    removeData: () => rm(folder, { recursive: true, force: true }),
  };
}
