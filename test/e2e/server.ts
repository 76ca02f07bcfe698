import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer, withDatabase } from '../database-server.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/** The program itself as a process of its own, on a data folder that outlives it: it can be killed and started again. */
export class Server {
  readonly port: number;
  readonly url: string;
  readonly dataDir: string;
  /** Of the next start. */
  readonly environment: Record<string, string>;
  #process: ChildProcess | undefined;
  #output = '';
  readonly #database = `parley_e2e_${randomBytes(4).toString('hex')}`;

  private constructor(port: number, dataDir: string, environment: Record<string, string>) {
    this.port = port;
    this.url = `http://localhost:${port}`;
    this.dataDir = dataDir;
    this.environment = { ...environment };
  }

  /** On the database that is named, else on the embedded one, or on one of its own at the server of `DATABASE_URL`. */
  static async start(environment: Record<string, string> = {}, folder?: string): Promise<Server> {
    const dataDir = folder ?? (await makeTemporaryFolder('e2e'));
    const server = new Server(await freePort(), dataDir, environment);
    await server.#createDatabase();
    await server.startAgain();
    return server;
  }

  async startAgain(): Promise<void> {
    this.#process = spawn('sh', ['scripts/serve.sh'], {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        // Plans are tried where they are meant.
        BILLING_MODE: 'off',
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
        ...this.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (data: Buffer): void => {
      this.#output += data.toString();
    };
    this.#process.stdout?.on('data', keep);
    this.#process.stderr?.on('data', keep);
    await this.#untilReady();
  }

  /** Everything that it has printed, for a look when a test fails. */
  get output(): string {
    return this.#output;
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process;
    if (!child || !this.isRunning) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  /** Holds the process as it is, and lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(signal);
  }

  async remove(): Promise<void> {
    // A killed program leaves its database running: started again and stopped in peace, it takes it along.
    if (this.#process?.signalCode === 'SIGKILL') await this.startAgain();
    await this.kill('SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
    const given = process.env['DATABASE_URL'];
    if (given) await administer(given, `drop database if exists ${this.#database} with (force)`);
  }

  async #createDatabase(): Promise<void> {
    const given = process.env['DATABASE_URL'];
    if (!given || this.environment['DATABASE_URL']) return;
    await administer(given, `create database ${this.#database}`);
    this.environment['DATABASE_URL'] = withDatabase(given, this.#database);
  }

  async #untilReady(): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const isUp = await fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      if (this.#process?.exitCode !== null) break;
      await sleep(100);
    }
    // What it said last comes after its end.
    await sleep(200);
    throw new Error(`The server did not start.\n${this.#output}`);
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface Site {
  /** `host:port`, for `SSRF_ALLOWED_HOSTS`. */
  host: string;
  close: () => Promise<void>;
}

/** Serves the fixtures as a website on loopback. */
export async function startSite(): Promise<Site> {
  const server = createServer((request, response) => {
    const name = path.basename(request.url ?? '');
    readFile(path.join('test/fixtures', name)).then(
      (content) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(content);
      },
      () => {
        response.writeHead(404);
        response.end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
