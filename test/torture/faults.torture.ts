import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerInBrowser } from '../browser-client.ts';
import { createTestDatabase } from '../database.ts';
import { DatabaseProxy, faults } from '../database-proxy.ts';
import { freePort, Server } from '../e2e/server.ts';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { Writers } from './writers.ts';

/**
 * Faults at random moments while people write. Nothing acknowledged is lost, nothing is duplicated, order holds, and
 * nobody is told anything but to retry. The counts are set by `FAULTS_LINE` (each fault of the connection to the
 * database), `FAULTS_STOP`, `FAULTS_STALL`, `FAULTS_REDIS` and `FAULTS_RESTART`; needs the built server (`node
 * scripts/bootstrap.mjs`).
 */
const times = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const WRITERS = 16;
const STOPPED_MS = 30_000;
const STALLED_MS = 5000;
const STORY = 'Tell me a long story.';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider({
    pieces: ['All ', 'right.'],
    of: ({ messages }) =>
      JSON.stringify(messages.at(-1)).includes(STORY)
        ? { pieces: Array.from({ length: 400 }, (_, index) => `word${index} `), betweenPiecesMs: 20 }
        : {},
  });
});
afterAll(() => provider.close());

const environment = () => ({
  ...provider.environment,
  SEED_DEMO: 'off',
  DATABASE_TIMEOUT_SECONDS: '6',
});

/** The end of the server's output, for inspection on a failure. */
const OUTPUT_CHARACTERS = 12_000;

type Fault = (round: number, writers: Writers) => Promise<void>;

/** Runs `fault` this many times at random moments; each time, a write succeeds afterwards. */
async function underWriters(
  what: string,
  server: Server,
  count: number,
  fault: Fault,
  heldMs = 0,
): Promise<void> {
  const writers = await Writers.start(server.url, WRITERS, heldMs);
  await runUnderWriters({ what, server, count, writers }, fault).catch((error: unknown) => {
    const state = server.isRunning ? 'is still running' : 'has exited';
    console.error(`${what}: failed; the server ${state}. Its last output:`);
    console.error(server.output.slice(-OUTPUT_CHARACTERS));
    throw error;
  });
}

interface Run {
  what: string;
  server: Server;
  count: number;
  writers: Writers;
}

async function runUnderWriters({ what, server, count, writers }: Run, fault: Fault): Promise<void> {
  const nextMs: number[] = [];
  for (let round = 0; round < count; round += 1) {
    await delay(Math.random() * 1000);
    await fault(round, writers);
    nextMs.push(await writers.untilNext());
  }
  await writers.stop();
  const slowest = Math.round(Math.max(0, ...nextMs));
  console.log(
    `${what}: ${count} times, ${writers.acknowledged} writes acknowledged, next one within ${slowest} ms`,
  );
  expect(await writers.faults()).toEqual([]);
  expect(writers.refusals).toEqual([]);
  expect(server.isRunning).toBe(true);
}

/** Nobody leaves a transaction open. */
async function expectNothingOpen(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const open = async () =>
    (
      await client.query(`select state, query from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%' and state_change < now() - interval '2 seconds'`)
    ).rows;
  await expect.poll(open, { timeout: 30_000, interval: 500 }).toEqual([]);
  await client.end();
}

test('writers survive a disturbed connection to the database', async () => {
  const database = await createTestDatabase();
  const proxy = await DatabaseProxy.start(database.url);
  const server = await Server.start({ ...environment(), DATABASE_URL: proxy.addressOf(database.url) });
  for (const fault of faults)
    await underWriters(fault, server, times('FAULTS_LINE', 25), async () => {
      proxy.fault = fault;
      await delay(Math.random() * 3000);
      proxy.fault = 'none';
    });
  await expectNothingOpen(database.url);
  await server.remove();
  await proxy.close();
  await database.drop();
});

/** To everybody else, a blocked event loop is the same as a suspended process. */
test.each([
  ['held for half a minute', 'FAULTS_STOP', STOPPED_MS],
  ['held for five seconds', 'FAULTS_STALL', STALLED_MS],
])('the application is %s under writers, and continues', async (what, name, ms) => {
  const server = await Server.start(environment());
  const hold: Fault = async (_round, writers) => {
    server.signal('SIGSTOP');
    await delay(ms);
    server.signal('SIGCONT');
    // Otherwise it would hardly run at all: everybody continues, not just somebody.
    await writers.untilEach();
  };
  await underWriters(what, server, times(name, 25), hold, ms);
  await server.remove();
});

test('writers survive a killed, emptied and paused Redis', async () => {
  const database = await createTestDatabase();
  const port = await freePort();
  let redis = await startRedis(port);
  const REDIS_URL = `redis://127.0.0.1:${port}`;
  const server = await Server.start({ ...environment(), DATABASE_URL: database.url, REDIS_URL });
  await underWriters('redis', server, times('FAULTS_REDIS', 25) * 3, async (round, writers) => {
    if (round % 3 === 0) {
      redis.kill('SIGKILL');
      await once(redis, 'exit');
      // Everybody continues without it.
      await writers.untilNext();
      redis = await startRedis(port);
    } else if (round % 3 === 1) {
      await once(spawn('redis-cli', ['-p', String(port), 'flushall'], { stdio: 'ignore' }), 'exit');
    } else {
      redis.kill('SIGSTOP');
      await writers.untilNext();
      await delay(1000);
      redis.kill('SIGCONT');
    }
  });
  await server.remove();
  redis.kill();
  await database.drop();
});

async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '']);
  for await (const line of redis.stdout ?? []) if (String(line).includes('Ready to accept')) break;
  redis.stdout?.resume();
  return redis;
}

test('writers and readers survive restarts of the application', async () => {
  const server = await Server.start(environment());
  const reader = await registerInBrowser(server.url, 'eve');
  const { organization } = await reader.client.organization.create({ name: 'Readers' });
  const { chatbot } = await reader.client.chatbot.create({ organizationId: organization.id, name: 'Teller' });
  await underWriters('restart', server, times('FAULTS_RESTART', 50), async () => {
    const { conversation } = await reader.client.chat.create({ chatbotId: chatbot.id });
    const begun = Promise.withResolvers<void>();
    const told = readStory(server.url, conversation.id, reader.token() ?? '', begun.resolve);
    // From then on there is something to lose.
    await Promise.race([begun.promise, told]);
    await delay(Math.random() * 1000);
    await server.kill('SIGTERM');
    const { text, isWhole } = await told;
    await server.startAgain();
    expect(isWhole).toBe(true);
    // What was seen is stored, and the conversation can be continued.
    const { messages } = await reader.client.chat.listMessages({ id: conversation.id });
    const answer = messages.find(({ role }) => role === 'assistant');
    expect(answer?.state).toMatch(/^(complete|incomplete)$/);
    expect(answer?.text.startsWith(text.trimEnd())).toBe(true);
  });
  await server.remove();
});

/** What a reader sees of an answer, and whether the stream ended or broke off; `begun` is called with the first word. */
async function readStory(
  url: string,
  id: string,
  token: string,
  begun: () => void,
): Promise<{ text: string; isWhole: boolean }> {
  const response = await fetch(`${url}/v1/chat/${id}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text: STORY }),
  });
  let received = '';
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    received += piece;
    if (received.includes('"text-delta"')) begun();
  }
  const lines = received.split('\n\n').filter((line) => line.startsWith('data: '));
  const events = lines
    .filter((line) => line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice(6)) as { type: string; delta?: string });
  const text = events.map(({ type, delta = '' }) => (type === 'text-delta' ? delta : '')).join('');
  return { text, isWhole: response.ok && lines.at(-1) === 'data: [DONE]' };
}
