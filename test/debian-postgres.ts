import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { DEBIAN_POSTGRES, POSTGRES_ID } from '../scripts/debian-postgres.ts';

const run = promisify(execFile);

const READY_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/** An initialized database cluster on disk, and the command that runs it. */
export interface PreparedPostgres {
  from: string;
  command: string[];
  hba: string;
  password: string;
  removeData: () => Promise<void>;
}

/** Why tests can't use the PostgreSQL with pgvector that `npm test` unpacks; undefined if they can. */
export function whyNoDebianPostgres(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start it in a folder of its own';
  return existsSync(DEBIAN_POSTGRES) ? undefined : '`npm test` has not unpacked it';
}

export async function prepareDebianPostgres(): Promise<PreparedPostgres> {
  const [version] = await readdir(path.join(DEBIAN_POSTGRES, 'usr/lib/postgresql'));
  const programs = `/usr/lib/postgresql/${version}/bin`;
  const home = `/var/lib/postgresql/parley-${randomBytes(4).toString('hex')}`;
  const folder = path.join(DEBIAN_POSTGRES, home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const password = randomBytes(18).toString('hex');
  await writeFile(path.join(folder, 'password'), password);
  for (const one of [folder, path.join(folder, 'password')]) await chown(one, POSTGRES_ID, POSTGRES_ID);
  const inside = [`--userspec=${POSTGRES_ID}:${POSTGRES_ID}`, DEBIAN_POSTGRES];
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${home}/password`];
  const kind = ['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  // It has no directory for sockets and no shared memory.
  const memory = ['-c', 'dynamic_shared_memory_type=mmap', '-c', 'unix_socket_directories='];
  await run('chroot', [...inside, `${programs}/initdb`, '-D', `${home}/data`, ...kind, ...access]);
  return {
    from: 'Debian',
    command: ['chroot', ...inside, `${programs}/postgres`, '-D', `${home}/data`, ...memory],
    hba: path.join(folder, 'data/pg_hba.conf'),
    password,
    removeData: () => rm(folder, { recursive: true, force: true }),
  };
}

/** On loopback, until stopped. */
export async function startDebianPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { command, password, removeData } = await prepareDebianPostgres();
  const port = await findPort();
  const [program = '', ...given] = command;
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', 'fsync=off'];
  const child = spawn(program, [...given, ...settings], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  const stop = async () => {
    // Doesn't wait for connected clients.
    child.kill('SIGINT');
    await exit;
    await removeData();
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  for (
    const last = performance.now() + READY_WITHIN_MS;
    performance.now() < last;
    await delay(LOOK_AGAIN_MS)
  ) {
    if (await answers(url)) return { url, stop };
    if (child.exitCode !== null) break;
  }
  await stop();
  throw new Error('The PostgreSQL with pgvector does not start.');
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
