import { mkdir, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request as send } from 'undici';
import { startEmbeddedPostgres } from '../src/server/db/embedded.ts';
import { registerInBrowser } from '../test/browser-client.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { Child } from './child.ts';
import { percentile, printTable } from './report.ts';

/**
 * What Parley adds to a chat turn. The same streamed answer obtained in three ways, in one run on one machine: directly
 * from the provider, through a bare proxy that commits two rows, and through Parley, which authenticates, stores,
 * retrieves and streams, with plans, knowledge and history. Provider, proxy and Parley are separate processes. Times in
 * milliseconds; CPU time is the server's alone. Then 50 at once, ten times, with a provider that takes 300 ms to its
 * first token, and 300 chats that stream 20 tokens a second each for ten seconds. All ways are warmed up with equally
 * many answers first, because a server's code is compiled during its first few thousand, and the background work this
 * leaves is finished before measuring. The ways alternate over several rounds, because the speed of a shared machine
 * varies.
 */
const { values: options } = parseArgs({
  options: {
    turns: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '1,10,50' },
    pieces: { type: 'string', default: '50' },
    warm: { type: 'string', default: '6000' },
    only: { type: 'string', default: 'speed,slow,steady' },
  },
});
const turns = Number(options.turns);
/** Warm-up before anything is measured: turns per way, and how many run concurrently. */
const warmTurns = Number(options.warm);
const WARM_AT_ONCE = 25;
const ROUNDS = 5;
/**
 * A server is quiet when it uses less than this share of a core over a window; one that doesn't become quiet in time is
 * measured as it is.
 */
const QUIET = { share: 0.05, windowMs: 1000, waitMs: 60_000 };
/** How many times each crowd runs: a single run is mostly chance. */
const CROWDS = { slow: 10, steady: 1 };

/** One way to get a question answered. */
interface Way {
  name: string;
  /** The process whose CPU time counts; none for the direct call. */
  server: Child | undefined;
  request: (worker: number) => { url: string; headers: Record<string, string>; body: object };
  isToken: (chunk: string) => boolean;
}

interface Turn {
  firstTokenMs: number;
  totalMs: number;
  /** Between successive pieces of the answer, on arrival. */
  gaps: number[];
}

/** The client shares the cores with what it measures: undici's `request` takes a quarter of the CPU time of `fetch`. */
async function timeTurn({ request, isToken }: Way, worker: number): Promise<Turn> {
  const { url, headers, body } = request(worker);
  const started = performance.now();
  const response = await send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  if (response.statusCode >= 300)
    throw new Error(`${url} answered ${response.statusCode}: ${await response.body.text()}`);
  const arrived: number[] = [];
  let last = '';
  for await (const chunk of response.body.setEncoding('utf8') as AsyncIterable<string>) {
    if (isToken(chunk)) arrived.push(performance.now() - started);
    // The end marker may be split across two chunks.
    last = (last + chunk).slice(-100);
  }
  const [firstTokenMs] = arrived;
  if (firstTokenMs === undefined) throw new Error('The stream contained no text.');
  if (!last.includes('[DONE]')) throw new Error('The stream ended early.');
  const gaps = arrived.slice(1).map((moment, index) => moment - (arrived[index] ?? 0));
  return { firstTokenMs, totalMs: performance.now() - started, gaps };
}

/** Runs `count` turns, `concurrency` at a time. */
async function converse(way: Way, concurrency: number, count: number): Promise<Turn[]> {
  const timed: Turn[] = [];
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      for (let index = worker; index < count; index += concurrency) timed.push(await timeTurn(way, worker));
    }),
  );
  return timed;
}

interface Measured {
  timed: Turn[];
  seconds: number;
  cpuMs: number;
}

async function measure(way: Way, concurrency: number, count: number): Promise<Measured> {
  await converse(way, concurrency, concurrency);
  const cpuBefore = way.server?.cpuMs() ?? 0;
  const started = performance.now();
  const timed = await converse(way, concurrency, count);
  const seconds = (performance.now() - started) / 1000;
  return { timed, seconds, cpuMs: (way.server?.cpuMs() ?? Number.NaN) - cpuBefore };
}

/** Measures the ways side by side, alternating between them. */
async function compare(ways: Way[], concurrency: number) {
  const rounds: Measured[][] = ways.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, way] of ways.entries())
      rounds[index]?.push(await measure(way, concurrency, Math.ceil(turns / ROUNDS)));
  }
  return ways.map((way, index) => rowOf(way, concurrency, rounds[index] ?? []));
}

function rowOf(way: Way, concurrency: number, rounds: Measured[]) {
  const timed = rounds.flatMap((round) => round.timed);
  const sum = (figure: 'seconds' | 'cpuMs') => rounds.reduce((all, round) => all + round[figure], 0);
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
    'turns/s': timed.length / sum('seconds'),
    'CPU ms/turn': sum('cpuMs') / timed.length,
    'RSS MiB': way.server?.residentMib() ?? Number.NaN,
  };
}

/** Waits until the server has finished the work left over from earlier requests. */
async function quiet(server: Child): Promise<void> {
  const until = performance.now() + QUIET.waitMs;
  for (let busy = 1; busy > QUIET.share && performance.now() < until;) {
    const before = server.cpuMs();
    await sleep(QUIET.windowMs);
    busy = (server.cpuMs() - before) / QUIET.windowMs;
  }
}

/** Everybody at once, one turn each, repeated `times` times. */
async function crowd(way: Way, people: number, times: number) {
  const settled: PromiseSettledResult<Turn>[] = [];
  for (let time = 0; time < times; time += 1) {
    const each = Array.from({ length: people }, (_, worker) => timeTurn(way, worker));
    settled.push(...(await Promise.allSettled(each)));
  }
  const timed = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const first = timed.map(({ firstTokenMs }) => firstTokenMs);
  const gaps = timed.flatMap((turn) => turn.gaps);
  return {
    chats: people,
    way: way.name,
    failed: settled.length - timed.length,
    'first p50': percentile(first, 0.5),
    'first p95': percentile(first, 0.95),
    'first p99': percentile(first, 0.99),
    'gap p99': gaps.length > 0 ? percentile(gaps, 0.99) : Number.NaN,
    'RSS MiB': way.server?.residentMib() ?? Number.NaN,
  };
}

let registered = 0;

/** A registered user with an agent that knows something, and conversations to use in rotation. */
async function prepareParley(url: string, model: string, most: number) {
  const { client, token } = await registerInBrowser(url, `bench-${(registered += 1)}`);
  const { organization } = await client.organization.create({ name: 'Bench' });
  const { chatbot } = await client.chatbot.create({ organizationId: organization.id, name: 'Bench' });
  const modelSettings = { model: `openai/${model}`, temperature: 0.3, maxTokens: 1024 };
  await client.chatbot.update({ id: chatbot.id, organizationId: organization.id, modelSettings });
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
const provider = await Child.start('bench/chat-provider.ts', [options.pieces], {}, /at (\S+)/);
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
  OPENAI_MODEL: 'stand-in,slow,steady',
  PLANS: '{"FREE_PLAN":{"creditsAMonth":1000000}}',
  ...(process.env['BENCH_PROFILE']
    ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.env['BENCH_PROFILE']}` }
    : {}),
};
const parley = await Child.parley(environment);
const concurrencies = options.concurrency.split(',').map(Number);
const phases = options.only.split(',');

/** The same question to the same model, asked in three ways. */
async function waysTo(model: string, most: number): Promise<Way[]> {
  const { conversations, token } = await prepareParley(parley.address, model, most);
  const body = { model, stream: true, messages: [{ role: 'user', content: 'Say many words.' }] };
  const isPiece = (chunk: string) => chunk.includes('"content"');
  return [
    {
      name: 'direct',
      server: undefined,
      request: () => ({ url: `${provider.address}/chat/completions`, headers: {}, body }),
      isToken: isPiece,
    },
    {
      name: 'proxy',
      server: proxy,
      request: () => ({ url: proxy.address, headers: {}, body: { model, text: 'Say many words.' } }),
      isToken: isPiece,
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
}

for (const way of await waysTo('stand-in', WARM_AT_ONCE)) await converse(way, WARM_AT_ONCE, warmTurns);
await quiet(parley);
const rows: Awaited<ReturnType<typeof compare>> = [];
if (phases.includes('speed')) {
  const ways = await waysTo('stand-in', Math.max(...concurrencies));
  for (const concurrency of concurrencies) rows.push(...(await compare(ways, concurrency)));
}
const crowds: Awaited<ReturnType<typeof crowd>>[] = [];
for (const [model, people] of [
  ['slow', 50],
  ['steady', 300],
] as const) {
  if (!phases.includes(model)) continue;
  for (const way of await waysTo(model, people)) {
    await crowd(way, people, 1);
    crowds.push(await crowd(way, people, CROWDS[model]));
  }
}
if (rows.length > 0) printTable(rows);
if (crowds.length > 0) printTable(crowds);
await mkdir('bench/results', { recursive: true });
await writeFile('bench/results/chat.json', `${JSON.stringify({ options, rows, crowds }, null, 2)}\n`);
for (const child of [parley, proxy, provider]) await child.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
