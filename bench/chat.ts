import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createClient } from '../src/contract/client.ts';
import { contract } from '../src/contract/index.ts';
import { createApp } from '../src/server/app.ts';
import { readConfig } from '../src/server/config.ts';
import { findUser } from '../src/server/features/user/store.ts';
import { createLog } from '../src/server/log.ts';
import { startProvider } from '../test/provider.ts';
import { percentile, printTable } from './report.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';

/**
 * What Parley adds to a chat turn: the same streamed answer asked of the provider directly and through Parley, which
 * authenticates, stores, retrieves and streams, in one run on one machine. Times in milliseconds.
 */
const { values: options } = parseArgs({
  options: {
    turns: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '1,10' },
    pieces: { type: 'string', default: '50' },
    'first-piece-after': { type: 'string', default: '0' },
  },
});
const turns = Number(options.turns);
const pieces = Array.from({ length: Number(options.pieces) }, (_, index) => `word${index} `);

interface Turn {
  firstTokenMs: number;
  totalMs: number;
}

/** Sends one request and reads its stream; the first piece of text is the first token. */
async function timeTurn(
  url: string,
  headers: Record<string, string>,
  body: object,
  isToken: (chunk: string) => boolean,
): Promise<Turn> {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok || !response.body) throw new Error(`The stream answered ${response.status}.`);
  let firstTokenMs: number | undefined;
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    if (firstTokenMs === undefined && isToken(chunk)) firstTokenMs = performance.now() - started;
  }
  if (firstTokenMs === undefined) throw new Error('The stream had no text.');
  return { firstTokenMs, totalMs: performance.now() - started };
}

async function measure(concurrency: number, turn: (worker: number) => Promise<Turn>) {
  for (let worker = 0; worker < concurrency; worker += 1) await turn(worker);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const timed: Turn[] = [];
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      for (let index = worker; index < turns; index += concurrency) timed.push(await turn(worker));
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const first = timed.map(({ firstTokenMs }) => firstTokenMs);
  const total = timed.map(({ totalMs }) => totalMs);
  return {
    firstTokenP50: percentile(first, 0.5),
    firstTokenP95: percentile(first, 0.95),
    totalP50: percentile(total, 0.5),
    totalP95: percentile(total, 0.95),
    turnsPerSecond: timed.length / seconds,
    cpuMsPerTurn: (user + system) / 1000 / timed.length,
  };
}

const dataDir = await makeTemporaryFolder('bench');
const provider = await startProvider({ pieces, firstPieceAfterMs: Number(options['first-piece-after']) });
const config = {
  ...readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    TRUSTED_PROXIES: '127.0.0.1',
  }),
  seedDemo: false,
  providers: { openai: { apiKey: 'sk-bench', baseUrl: provider.baseUrl, model: 'stand-in' } },
};
const app = await createApp(config, createLog(config));
await app.http.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;

const guest = await createClient(contract, { baseUrl: url }).identity.signInAsGuest();
let { idToken } = guest;
const client = createClient(contract, { baseUrl: url, token: () => idToken });
await client.user.register({ name: 'Bench', username: 'bench' });
const member = await app.deps.db.in({}, (tx) => findUser(tx, guest.user.uid));
if (member) ({ idToken } = await app.deps.identity.startSession(member));
const { organization } = await client.organization.create({ name: 'Bench' });
const { chatbot } = await client.chatbot.create({ organizationId: organization.id, name: 'Bench' });

const rows: Record<string, string | number>[] = [];
for (const concurrency of options.concurrency.split(',').map(Number)) {
  const conversations = await Promise.all(
    Array.from(
      { length: concurrency },
      async () => (await client.chat.create({ chatbotId: chatbot.id })).conversation.id,
    ),
  );
  const direct = await measure(concurrency, () =>
    timeTurn(
      `${provider.baseUrl}/chat/completions`,
      {},
      { model: 'stand-in', stream: true, messages: [{ role: 'user', content: 'Say many words.' }] },
      (chunk) => chunk.includes('"content"'),
    ),
  );
  const parley = await measure(concurrency, (worker) =>
    timeTurn(
      `${url}/v1/chat/${conversations[worker]}/message`,
      { authorization: `Bearer ${idToken}` },
      { text: 'Say many words.' },
      (chunk) => chunk.includes('"text-delta"'),
    ),
  );
  for (const [name, result] of Object.entries({ direct, parley })) {
    rows.push({
      concurrency,
      way: name,
      'first token p50': result.firstTokenP50,
      'first token p95': result.firstTokenP95,
      'total p50': result.totalP50,
      'total p95': result.totalP95,
      'turns/s': result.turnsPerSecond,
      'CPU ms/turn': result.cpuMsPerTurn,
      'first token added p50': result.firstTokenP50 - direct.firstTokenP50,
    });
  }
}
printTable(rows);
await mkdir('bench/results', { recursive: true });
await writeFile(
  'bench/results/chat.json',
  `${JSON.stringify({ turns, pieces: pieces.length, rows }, null, 2)}\n`,
);
await app.close();
await provider.close();
await rm(dataDir, { recursive: true, force: true });
