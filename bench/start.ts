import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../src/server/db/embedded.ts';
import { registerInBrowser } from '../test/browser-client.ts';
import { freePort } from '../test/e2e/server.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { percentile, printTable } from './report.ts';

/**
 * How long startup takes, from the start of the process until a browser could show the first page, and what the server
 * uses at rest with 10,000 passages of knowledge. Started as `npm start` does once everything is built. Medians over
 * `STARTS`.
 */
const STARTS = 5;
const PASSAGES = 10_000;
const PASSAGES_PER_ITEM = 60;
const REST_MS = 30_000;
const words = (count: number, seed: number): string =>
  Array.from({ length: count }, (_, index) => `word${(seed * 7919 + index * 104_729) % 20_011}`).join(' ');

const dataDir = await makeTemporaryFolder('start');
const port = await freePort();
const url = `http://127.0.0.1:${port}`;

async function start(environment: Record<string, string>): Promise<{ server: ChildProcess; ms: number }> {
  const began = performance.now();
  const server = spawn('sh', ['scripts/serve.sh'], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (;;) {
    const page = await fetch(url).catch(() => undefined);
    if (page?.ok && (await page.text()).includes('<script')) break;
    if (server.exitCode !== null) throw new Error('The server exited.');
    await delay(5);
  }
  return { server, ms: performance.now() - began };
}

async function stop(server: ChildProcess): Promise<void> {
  server.kill('SIGTERM');
  await once(server, 'exit');
}

const residentMib = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function startsOf(environment: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < STARTS; index += 1) {
    const { server, ms } = await start(environment);
    times.push(ms);
    await stop(server);
  }
  return percentile(times, 0.5);
}

/** Items of the maximum size. */
async function fill(): Promise<number> {
  const { client } = await registerInBrowser(url, 'ada');
  const { organization } = await client.organization.create({ name: 'Start' });
  const { chatbot } = await client.chatbot.create({ organizationId: organization.id, name: 'Start' });
  const agent = { id: chatbot.id, organizationId: organization.id };
  let passages = 0;
  for (let item = 0; passages < PASSAGES; item += 1) {
    const text = Array.from(
      { length: PASSAGES_PER_ITEM },
      (_, index) => `# Part ${index}\n\n${words(120, item * PASSAGES_PER_ITEM + index)}`,
    );
    const { knowledge } = await client.knowledge.create({
      ...agent,
      type: 'text',
      description: `Item ${item}`,
      text: text.join('\n\n'),
    });
    for (;;) {
      const { knowledge: now } = await client.knowledge.get({ id: agent.id, knowledgeId: knowledge.id });
      if (now.progress.state === 'failed') throw new Error('A knowledge item failed.');
      if (now.progress.state === 'ready') {
        passages += now.chunks;
        break;
      }
      await delay(100);
    }
  }
  return passages;
}

const embedded = { DATA_DIR: dataDir, BILLING_MODE: 'off' };
const first = await start(embedded);
const passages = await fill();
await stop(first.server);
const again = await startsOf(embedded);
const { server } = await start(embedded);
await delay(REST_MS);
const rest = residentMib(server);
await stop(server);
const postgres = await startEmbeddedPostgres({ dataDir });
const running = await startsOf({ ...embedded, DATABASE_URL: postgres.connectionString });
await postgres.stop();

const row = {
  'first page, empty folder ms': first.ms,
  'embedded database ms': again,
  'running database ms': running,
  passages,
  'at rest MiB': rest,
};
printTable([row]);
await mkdir('bench/results', { recursive: true });
await writeFile('bench/results/start.json', `${JSON.stringify(row, null, 2)}\n`);
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
