import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import path from 'node:path';
import { startProvider } from '../stand-ins/provider.ts';
import { startS3 } from '../stand-ins/s3.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { Network, whyNoNetwork } from './network.ts';
import { writeNginxConfig } from './nginx.ts';
import { ask, startPostgres, type ClusterPostgres } from './postgres.ts';
import { Program } from './program.ts';
import { storyteller } from './story.ts';

export const webs = ['web1', 'web2', 'web3'] as const;
export const workers = ['worker1', 'worker2'] as const;
const WEB_PORT = 3000;
const NGINX_PORT = 8080;
const REDIS_PORT = 6379;
const METRICS_TOKEN = 'a-token-of-the-cluster';

/** Why a cluster can't run here; undefined: it can. */
export function whyNoCluster(): string | undefined {
  const missing = ['/usr/sbin/nginx', '/usr/bin/redis-server'].filter((file) => !existsSync(file));
  if (missing.length > 0) return `${missing.join(' and ')} not found`;
  return whyNoNetwork();
}

/**
 * The product on several machines: nginx in front of three web processes, two workers, PostgreSQL and Redis, each on
 * its own node; files are in a bucket, and the model is a stand-in, both beyond the reach of network failures.
 */
export class Cluster {
  readonly network: Network;
  readonly #folder: string;
  readonly #programs = new Map<string, Program>();
  readonly #closing: (() => Promise<unknown>)[] = [];
  #postgres: ClusterPostgres | undefined;

  private constructor(network: Network, folder: string) {
    this.network = network;
    this.#folder = folder;
  }

  static async start(): Promise<Cluster> {
    const network = await Network.create(['nginx', 'postgres', 'redis', ...webs, ...workers]);
    const cluster = new Cluster(network, await makeTemporaryFolder('cluster'));
    try {
      await cluster.#start();
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  /** The public address. */
  get url(): string {
    return this.#urlOf('nginx', NGINX_PORT);
  }

  get postgresLabel(): string {
    return this.#postgres?.label ?? '';
  }

  program(name: string): Program {
    const program = this.#programs.get(name);
    if (!program) throw new Error(`There is no ${name} in the cluster.`);
    return program;
  }

  /** One web process, bypassing nginx. */
  urlOf(web: (typeof webs)[number]): string {
    return this.#urlOf(web, WEB_PORT);
  }

  query(statement: string): Promise<Record<string, unknown>[]> {
    return ask(this.#postgres?.url ?? '', statement);
  }

  /** The number of sockets on each web process. */
  async sockets(): Promise<number[]> {
    const count = async (web: (typeof webs)[number]): Promise<number> => {
      const response = await fetch(`${this.urlOf(web)}/metrics`, {
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      });
      return Number(/^parley_sockets (\d+)$/m.exec(await response.text())?.[1] ?? Number.NaN);
    };
    return Promise.all(webs.map(count));
  }

  /** Programs that ended without having been killed, in words. */
  endedByThemselves(): string[] {
    return [...this.#programs]
      .filter(([, { ended }]) => ended > 0)
      .map(([name, { ended, output }]) => `${name} exited ${ended} times:\n${output.slice(-2000)}`);
  }

  /** The last errors logged by each process of the product. */
  failures(): string {
    const lines = [...webs, ...workers].flatMap((name) =>
      this.program(name)
        .output.split('\n')
        .filter((line) => line.startsWith('{"level":50'))
        .slice(-3)
        .map((line) => `${name} ${line.slice(0, 1500)}`),
    );
    return lines.join('\n');
  }

  async remove(): Promise<void> {
    for (const program of this.#programs.values()) await program.kill();
    for (const close of this.#closing.toReversed()) await close().catch(() => undefined);
    this.network.remove();
    await this.#postgres?.removeData();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const storage = await startS3(this.network.address);
    this.#closing.push(storage.close);
    const provider = await startProvider(storyteller, this.network.address);
    this.#closing.push(provider.close);
    const postgres = await startPostgres(this.network.place('postgres'), this.network.range);
    this.#postgres = postgres;
    this.#programs.set('postgres', postgres.program);
    await this.#add('redis', {
      command: `redis-server --port ${REDIS_PORT} --bind 0.0.0.0 --protected-mode no --appendonly no`
        .split(' ')
        .concat('--save', ''),
      isReady: () => isListening(this.network.place('redis').address, REDIS_PORT),
    });
    const environment = this.#environment({
      DATABASE_URL: postgres.url,
      STORAGE_URL: storage.url,
      OPENAI_BASE_URL: provider.baseUrl,
    });
    // The first one creates the tables.
    await this.#addServer('web1', { ...environment, ROLE: 'web' });
    const others = [
      ...webs.slice(1).map((name) => ({ name, ROLE: 'web' })),
      ...workers.map((name) => ({ name, ROLE: 'worker' })),
    ];
    await Promise.all(others.map(({ name, ROLE }) => this.#addServer(name, { ...environment, ROLE })));
    const servers = webs.map((name) => `${this.network.place(name).address}:${WEB_PORT}`);
    // As the file says.
    await this.network.set('nginx', 'net.ipv4.tcp_retries2', '5');
    const config = await writeNginxConfig(this.#folder, { port: NGINX_PORT, servers });
    await this.#add('nginx', { command: ['nginx', '-c', config], isReady: () => isUp(`${this.url}/readyz`) });
  }

  #environment(given: Record<string, string>): Record<string, string> {
    return {
      NODE_ENV: 'test',
      HOST: '0.0.0.0',
      PORT: String(WEB_PORT),
      REDIS_URL: this.#urlOf('redis', REDIS_PORT).replace('http:', 'redis:'),
      SECRET_KEY: randomBytes(32).toString('hex'),
      PUBLIC_URL: this.url,
      TRUSTED_PROXIES: this.network.place('nginx').address,
      METRICS_TOKEN,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_MODEL: 'stand-in',
      SEED_DEMO: 'off',
      // Plans are tested elsewhere.
      BILLING_MODE: 'off',
      DATABASE_TIMEOUT_SECONDS: '6',
      ...given,
    };
  }

  async #addServer(name: string, environment: Record<string, string>): Promise<void> {
    const dataDir = path.join(this.#folder, name);
    await mkdir(dataDir);
    await this.#add(name, {
      command: ['sh', 'scripts/serve.sh'],
      environment: { ...environment, DATA_DIR: dataDir },
      isReady: () => isUp(`${this.#urlOf(name, WEB_PORT)}/readyz`),
    });
  }

  async #add(name: string, options: ConstructorParameters<typeof Program>[1]): Promise<void> {
    const program = new Program(this.network.place(name), options);
    this.#programs.set(name, program);
    await program.start();
  }

  #urlOf(name: string, port: number): string {
    return `http://${this.network.place(name).address}:${port}`;
  }
}

async function isUp(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo({ host, port, timeout: 1000 });
    const say = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', say(true)).on('error', say(false)).on('timeout', say(false));
  });
}
