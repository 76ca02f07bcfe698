import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerInBrowser } from '../browser-client.ts';
import { createTestDatabase } from '../database.ts';
import { Server } from '../e2e/server.ts';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { Writers } from './writers.ts';

/**
 * SIGKILL at random moments while people write. Nothing acknowledged is lost, nothing is duplicated, order holds. The
 * counts are set by `KILLS_APP`, `KILLS_DATABASE` and `KILLS_WORKER`; needs the built server (`node
 * scripts/bootstrap.mjs`).
 */
const times = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const WRITERS = 16;

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider({ pieces: ['All ', 'right.'] });
});
afterAll(() => provider.close());

const environment = () => ({
  ...provider.environment,
  SEED_DEMO: 'off',
});

const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

function report(what: string, writers: Writers, nextMs: number[]): void {
  const [median, late] = [percentile(nextMs, 0.5), percentile(nextMs, 0.95)].map(Math.round);
  console.log(
    `${what}: ${writers.acknowledged} writes acknowledged; next one after ${median} ms (p50), ${late} ms (p95)`,
  );
}

/** The errors in the server's log, for inspection. */
const failuresOf = ({ output }: Server): string =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{"level":50'))
    .slice(-5)
    .join('\n');

test('writers survive a killed application', async () => {
  const server = await Server.start(environment());
  const writers = await Writers.start(server.url, WRITERS);
  const nextMs: number[] = [];
  for (let kill = 0; kill < times('KILLS_APP', 200); kill += 1) {
    await delay(Math.random() * 2000);
    await server.kill('SIGKILL');
    const since = performance.now();
    await server.startAgain();
    await writers.untilNext();
    nextMs.push(performance.now() - since);
  }
  await writers.stop();
  report('application', writers, nextMs);
  expect(await writers.faults()).toEqual([]);
  expect(writers.refusals, failuresOf(server)).toEqual([]);
  await server.remove();
});

/** NaN while there is none. */
async function postmasterOf(folder: string): Promise<number> {
  const file = path.join(folder, 'cluster', 'postmaster.pid');
  return Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
}

test('writers survive a killed database, and the application keeps running', async () => {
  const server = await Server.start(environment());
  const writers = await Writers.start(server.url, WRITERS);
  const folder = await realpath(path.join(server.dataDir, 'postgres'));
  const nextMs: number[] = [];
  for (let kill = 0; kill < times('KILLS_DATABASE', 50); kill += 1) {
    await delay(500 + Math.random() * 2000);
    const before = await postmasterOf(folder);
    const since = performance.now();
    process.kill(before, 'SIGKILL');
    while ((await postmasterOf(folder)) === before) await delay(5);
    await writers.untilNext();
    nextMs.push(performance.now() - since);
  }
  expect(server.isRunning).toBe(true);
  await writers.stop();
  report('database', writers, nextMs);
  expect(await writers.faults()).toEqual([]);
  expect(writers.refusals, failuresOf(server)).toEqual([]);
  await server.remove();
});

test('killed knowledge workers leave each item with one set of passages', async () => {
  const database = await createTestDatabase();
  const web = await Server.start({ ...environment(), DATABASE_URL: database.url, ROLE: 'web' });
  const worker = await Worker.start(web, database.url, environment());
  const { client } = await registerInBrowser(web.url, 'ada');
  const { organization } = await client.organization.create({ name: 'Torture' });
  const agentId = (await client.chatbot.create({ organizationId: organization.id, name: 'Reader' })).chatbot
    .id;
  const text = Array.from(
    { length: 300 },
    (_, index) => `Paragraph number ${index} speaks about the topic called subject${index}.`,
  ).join('\n\n');
  const made: string[] = [];
  for (let kill = 0; kill < times('KILLS_WORKER', 100); kill += 1) {
    const { knowledge } = await client.knowledge.create({
      id: agentId,
      organizationId: organization.id,
      type: 'text',
      description: `Part ${kill}`,
      text,
    });
    made.push(knowledge.id);
    await delay(Math.random() * 1200);
    await worker.kill();
    await worker.start();
  }
  const read = async () =>
    Promise.all(
      made.map(async (knowledgeId) => {
        const { knowledge } = await client.knowledge.get({ id: agentId, knowledgeId });
        return knowledge;
      }),
    );
  await expect
    .poll(async () => (await read()).filter(({ progress }) => progress.state !== 'ready').length, {
      timeout: 60_000,
      interval: 1000,
    })
    .toBe(0);
  const counts = new Set((await read()).map(({ chunks }) => chunks));
  console.log(`worker: ${made.length} items, passages per item: ${[...counts].join(', ')}`);
  expect(counts.size).toBe(1);
  await worker.kill();
  await web.remove();
  await database.drop();
});

/** A process that runs jobs and serves nobody, on the data folder and database of another. */
class Worker {
  readonly #environment: Record<string, string>;
  #process: ReturnType<typeof spawn> | undefined;

  private constructor(environmentOfWorker: Record<string, string>) {
    this.#environment = environmentOfWorker;
  }

  static async start(web: Server, databaseUrl: string, given: Record<string, string>): Promise<Worker> {
    const worker = new Worker({ ...given, DATABASE_URL: databaseUrl, DATA_DIR: web.dataDir, ROLE: 'worker' });
    await worker.start();
    return worker;
  }

  async start(): Promise<void> {
    this.#process = spawn('sh', ['scripts/serve.sh'], {
      env: { ...process.env, ...this.#environment, NODE_ENV: 'test', BILLING_MODE: 'off', PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const data of this.#process.stdout ?? []) if (String(data).includes('Parley is at')) break;
  }

  async kill(): Promise<void> {
    if (!this.#process) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }
}
