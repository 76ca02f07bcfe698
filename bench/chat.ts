import { mkdir, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/server/db/embedded.ts';
import { registerInBrowser } from '../test/browser-client.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { Child } from './child.ts';
import { percentile, printTable } from './report.ts';

/**
 * What Parley adds to a chat turn. The same streamed answer in three ways, in one run on one machine: asked of the provider
 * directly, through a bare proxy that commits two rows, and through Parley, which authenticates, stores, retrieves and
 * streams. Provider, proxy and Parley are processes of their own. Times in milliseconds; CPU is the server's alone.
 */
const { values: options } = parseArgs({
  options: {
    turns: { type: 'string', default: '300' },
    concurrency: { type: 'string', default: '1,10,50' },
    pieces: { type: 'string', default: '50' },
    'first-piece-after': { type: 'string', default: '0' },
    'between-pieces': { type: 'string', default: '0' },
  },
});
const turns = Number(options.turns);

/** One way to have a question answered. */
interface Way {
  name: string;
  /** The process whose CPU counts; none for the direct call. */
  server: Child | undefined;
  request: (worker: number) => { url: string; headers: Record<string, string>; body: object };
  isToken: (chunk: string) => boolean;
}

interface Turn {
  firstTokenMs: number;
  totalMs: number;
}

async function timeTurn({ request, isToken }: Way, worker: number): Promise<Turn> {
  const { url, headers, body } = request(worker);
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok || !response.body)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  let firstTokenMs: number | undefined;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    if (firstTokenMs === undefined && isToken(chunk)) firstTokenMs = performance.now() - started;
  }
  if (firstTokenMs === undefined) throw new Error('The stream had no text.');
  return { firstTokenMs, totalMs: performance.now() - started };
}

async function measure(way: Way, concurrency: number) {
  const workers = Array.from({ length: concurrency }, (_, worker) => worker);
  await Promise.all(workers.map((worker) => timeTurn(way, worker)));
  const cpuBefore = way.server?.cpuMs() ?? 0;
  const started = performance.now();
  const timed: Turn[] = [];
  await Promise.all(
    workers.map(async (worker) => {
      for (let index = worker; index < turns; index += concurrency) timed.push(await timeTurn(way, worker));
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const cpu = way.server ? (way.server.cpuMs() - cpuBefore) / timed.length : Number.NaN;
  const first = timed.map(({ firstTokenMs }) => firstTokenMs);
  const total = timed.map(({ totalMs }) => totalMs);
  return {
    concurrency,
    way: way.name,
    'first p50': percentile(first, 0.5),
    'first p95': percentile(first, 0.95),
    'first p99': percentile(first, 0.99),
    'total p50': percentile(total, 0.5),
    'total p95': percentile(total, 0.95),
    'turns/s': timed.length / seconds,
    'CPU ms/turn': cpu,
    'RSS MiB': way.server?.residentMib() ?? Number.NaN,
  };
}

/** A registered person with an agent that knows something, and conversations to use in turn. */
async function prepareParley(url: string, most: number) {
  const { client, token } = await registerInBrowser(url, 'bench');
  const { organization } = await client.organization.create({ name: 'Bench' });
  const { chatbot } = await client.chatbot.create({ organizationId: organization.id, name: 'Bench' });
  const text = 'The shop says many words about its lamps. Its opening hours are from nine to five.';
  await client.knowledge.create({
    id: chatbot.id,
    organizationId: organization.id,
    type: 'text',
    description: 'Shop',
    text,
  });
  const conversations = await Promise.all(
    Array.from(
      { length: most },
      async () => (await client.chat.create({ chatbotId: chatbot.id })).conversation.id,
    ),
  );
  return { conversations, token };
}

const dataDir = await makeTemporaryFolder('bench');
const postgres = await startEmbeddedPostgres({ dataDir });
const provider = await Child.start(
  'bench/chat-provider.ts',
  [options.pieces, options['first-piece-after'], options['between-pieces']],
  {},
  /at (\S+)/,
);
const proxy = await Child.start(
  'bench/chat-proxy.ts',
  [postgres.connectionString, provider.address],
  {},
  /at (\S+)/,
);
const environment = {
  NODE_ENV: 'production',
  PORT: '0',
  DATA_DIR: dataDir,
  DATABASE_URL: postgres.connectionString,
  LOG_LEVEL: 'warn',
  SEED_DEMO: 'off',
  OPENAI_API_KEY: 'sk-bench',
  OPENAI_BASE_URL: provider.address,
  OPENAI_MODEL: 'stand-in',
  ...(process.env['BENCH_PROFILE']
    ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.env['BENCH_PROFILE']}` }
    : {}),
};
const parley = await Child.start('src/server/main.ts', [], environment, /Parley is at (\S+)/);
const concurrencies = options.concurrency.split(',').map(Number);
const { conversations, token } = await prepareParley(parley.address, Math.max(...concurrencies));
const ways: Way[] = [
  {
    name: 'direct',
    server: undefined,
    request: () => ({
      url: `${provider.address}/chat/completions`,
      headers: {},
      body: { model: 'stand-in', stream: true, messages: [{ role: 'user', content: 'Say many words.' }] },
    }),
    isToken: (chunk) => chunk.includes('"content"'),
  },
  {
    name: 'proxy',
    server: proxy,
    request: () => ({ url: proxy.address, headers: {}, body: { text: 'Say many words.' } }),
    isToken: (chunk) => chunk.includes('"content"'),
  },
  {
    name: 'parley',
    server: parley,
    request: (worker) => ({
      url: `${parley.address}/v1/chat/${conversations[worker]}/message`,
      headers: { authorization: `Bearer ${token()}` },
      body: { text: 'Say many words.' },
    }),
    isToken: (chunk) => chunk.includes('"text-delta"'),
  },
];

const rows: Awaited<ReturnType<typeof measure>>[] = [];
for (const concurrency of concurrencies) {
  for (const way of ways) rows.push(await measure(way, concurrency));
}
printTable(rows);
await mkdir('bench/results', { recursive: true });
await writeFile('bench/results/chat.json', `${JSON.stringify({ options, rows }, null, 2)}\n`);
for (const child of [parley, proxy, provider]) await child.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
