import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/server/db/embedded.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import type { Place } from './network.ts';
import { Program } from './program.ts';

const run = promisify(execFile);

/** A PostgreSQL of a node, with a database of its own name in it. */
export interface ClusterPostgres {
  program: Program;
  /** Of the database `parley`, as its owner. */
  url: string;
  /** Its version, where it is from, and whether it has pgvector. */
  label: string;
  removeData: () => Promise<void>;
}

/** A cluster of tables on the disk, and what runs it. */
interface Prepared {
  from: string;
  command: string[];
  hba: string;
  password: string;
  removeData: () => Promise<void>;
}

/** Five processes take 31 connections each at most. */
const MAX_CONNECTIONS = 300;

/**
 * The PostgreSQL of the Debian system under `CLUSTER_POSTGRES_ROOT`, else the embedded one that the product brings. Such a system is made by
 *
 *     debootstrap --variant=minbase --include=postgresql,postgresql-17-pgvector trixie /srv/pg17
 *     CLUSTER_POSTGRES_ROOT=/srv/pg17 npm run test:torture -- cluster
 */
export async function startPostgres(place: Place, range: string): Promise<ClusterPostgres> {
  const root = process.env['CLUSTER_POSTGRES_ROOT'];
  const prepared = await (root ? prepareIn(root) : prepareEmbedded());
  const { command, hba, password, removeData } = prepared;
  await appendFile(hba, `\nhost all all ${range} scram-sha-256\n`);
  const settings = {
    listen_addresses: '*',
    max_connections: String(MAX_CONNECTIONS),
    // In the folder of the system there may be no place for one.
    unix_socket_directories: '',
    dynamic_shared_memory_type: 'mmap',
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

/** The rows that one statement gives, on a connection of its own. */
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

async function prepareIn(root: string): Promise<Prepared> {
  const versions = await readdir(path.join(root, 'usr/lib/postgresql')).catch(() => []);
  const version = versions.map(Number).toSorted((a, b) => b - a)[0];
  if (version === undefined)
    throw new Error('Under CLUSTER_POSTGRES_ROOT there is no usr/lib/postgresql/<version>.');
  const programs = `/usr/lib/postgresql/${version}/bin`;
  const [, uid, gid] =
    /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile(path.join(root, 'etc/passwd'), 'utf8')) ?? [];
  const home = `/var/lib/postgresql/parley-${randomBytes(4).toString('hex')}`;
  const folder = path.join(root, home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const password = randomBytes(18).toString('hex');
  await writeFile(path.join(folder, 'password'), password);
  for (const one of [folder, path.join(folder, 'password')]) await chown(one, Number(uid), Number(gid));
  const inside = ['--userspec=postgres:postgres', root];
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${home}/password`];
  const kind = ['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await run('chroot', [...inside, `${programs}/initdb`, '-D', `${home}/data`, ...kind, ...access]);
  return {
    from: 'Debian',
    command: ['chroot', ...inside, `${programs}/postgres`, '-D', `${home}/data`],
    hba: path.join(folder, 'data/pg_hba.conf'),
    password,
    removeData: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Made by the product itself, then run as a program of the node: it listens to the network there, which it does nowhere else. */
async function prepareEmbedded(): Promise<Prepared> {
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
