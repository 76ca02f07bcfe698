import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer, withDatabase } from '../database-server.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';

/** A start with a separate database takes three seconds, and ten times as long while everything else is being tested. */
const START_MAX_MS = 80_000;
const ANSWER_MAX_MS = 5000;

/** The program in its own process, on a data folder that outlives it: it can be killed and restarted. */
export class Server {
  readonly port: number;
  readonly url: string;
  readonly dataDir: string;
  /** For the next start. */
  readonly environment: Record<string, string>;
  #process: ChildProcess | undefined;
  #output = '';
  #withoutDatabase: Record<string, undefined> = {};
  readonly #database = `parley_e2e_${randomBytes(4).toString('hex')}`;

  private constructor(port: number, dataDir: string, environment: Record<string, string>) {
    this.port = port;
    this.url = `http://localhost:${port}`;
    this.dataDir = dataDir;
    this.environment = { ...environment };
  }

  /**
   * Uses the given database, otherwise its own one on the server of `DATABASE_URL`: a copy of `TEMPLATE_DATABASE`, or
   * an empty one. Without these, or if requested, the embedded one.
   */
  static async start(
    environment: Record<string, string> = {},
    { dataDir, isEmbedded = false }: { dataDir?: string; isEmbedded?: boolean } = {},
  ): Promise<Server> {
    const folder = dataDir ?? (await makeTemporaryFolder('e2e'));
    const server = new Server(await freePort(), folder, environment);
    if (isEmbedded) server.#withoutDatabase = { DATABASE_URL: undefined };
    else await server.#createDatabase();
    await server.startAgain();
    return server;
  }

  async startAgain(): Promise<void> {
    this.#process = spawn('sh', ['scripts/serve.sh'], {
      env: {
        ...process.env,
        ...this.#withoutDatabase,
        NODE_ENV: 'test',
        // Plans are tested elsewhere.
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

  /** All its output, for inspection when a test fails. */
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

  /** Suspends the process, and resumes it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(signal);
  }

  async remove(): Promise<void> {
    // A killed program leaves its database running: after a restart, a clean stop ends both.
    if (this.#process?.signalCode === 'SIGKILL') await this.startAgain();
    await this.kill('SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
    const given = process.env['DATABASE_URL'];
    if (given) await administer(given, `drop database if exists ${this.#database} with (force)`);
  }

  async #createDatabase(): Promise<void> {
    const given = process.env['DATABASE_URL'];
    if (!given || this.environment['DATABASE_URL']) return;
    const template = process.env['TEMPLATE_DATABASE'];
    await administer(given, `create database ${this.#database}${template ? ` template ${template}` : ''}`);
    this.environment['DATABASE_URL'] = withDatabase(given, this.#database);
  }

  async #untilReady(): Promise<void> {
    const end = performance.now() + START_MAX_MS;
    while (performance.now() < end) {
      const isUp = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MAX_MS) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      if (this.#process?.exitCode !== null) break;
      await sleep(100);
    }
    // Its last output arrives after its end.
    await sleep(200);
    throw new Error(`The server did not start.\n${this.#output}`);
  }
}

/**
 * Below the range for outgoing connections: until the server listens, and while it restarts, one of those could take
 * the port, most likely a client polling whether it is up.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
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
