import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerInBrowser } from '../../test/browser-client.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { freePort, Server } from '../../test/e2e/server.ts';
import { startProvider, type Provider } from '../../test/stand-ins/provider.ts';
import { makeTemporaryFolder } from '../../test/temporary-folder.ts';

let provider: Provider;
let database: TestDatabase;
let server: Server;

beforeAll(async () => {
  // Longer than the drain period: the answer is in progress when the server stops.
  provider = await startProvider({
    pieces: Array.from({ length: 200 }, () => 'word '),
    betweenPiecesMs: 100,
  });
  database = await createTestDatabase();
  server = await Server.start({
    SEED_DEMO: 'off',
    DATABASE_URL: database.url,
    DRAIN_SECONDS: '3',
    ...provider.environment,
  });
});
afterAll(async () => {
  await server.remove();
  await database.drop();
  await provider.close();
});

test('a server told to stop says so at once, keeps serving briefly, and ends streams resumably', async () => {
  const { client: ada, token } = await registerInBrowser(server.url, 'ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const chatbotId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const { id } = (await ada.chat.create({ chatbotId })).conversation;
  const stream = await fetch(`${server.url}/v1/chat/${id}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token()}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text: 'Tell me everything.' }),
  });
  const text = stream.text();
  const began = performance.now();
  const stopped = server.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
  expect(performance.now() - began).toBeLessThan(1500);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await ada.chat.listMessages({ id })).messages).toHaveLength(2);
  const events = (await text).split('\n\n').filter((line) => line.startsWith('data: '));
  expect(performance.now() - began).toBeGreaterThan(2500);
  expect(events.at(-1)).toBe('data: [DONE]');
  const message = events.map((line) => line.slice(6)).findLast((line) => line.includes('"data-message"'));
  expect(JSON.parse(message ?? '{}')).toMatchObject({ data: { role: 'assistant', state: 'incomplete' } });
  await stopped;
  expect(server.isRunning).toBe(false);

  await server.startAgain();
  const { messages } = await ada.chat.listMessages({ id });
  expect(messages[1]).toMatchObject({ state: 'incomplete', text: expect.stringContaining('word word') });
  provider.script = { pieces: ['All of it.'] };
  await ada.chat.retry({ id });
  expect((await ada.chat.listMessages({ id })).messages[1]).toMatchObject({
    state: 'complete',
    text: 'All of it.',
  });
});

/** The program on its own database in an empty folder; resolves once that database runs. */
async function startInEmptyFolder(environment: Record<string, string> = {}) {
  const dataDir = await makeTemporaryFolder('drain');
  const program = spawn('sh', ['scripts/serve.sh'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await freePort()), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (data: Buffer) => printed.push(data.toString()));
  const hasDatabase = () => existsSync(path.join(dataDir, 'postgres/cluster/postmaster.pid'));
  const ended = once(program, 'close');
  await expect.poll(hasDatabase, { timeout: 60_000, interval: 20 }).toBe(true);
  const output = () => printed.join('');
  return { program, ended, output, hasDatabase, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

test('a process that is killed takes its embedded database with it', async () => {
  const dataDir = await makeTemporaryFolder('by-force');
  const file = (name: string) => JSON.stringify(path.resolve('src/server/db', name));
  const program = `
    const { startEmbeddedPostgres } = await import(${file('embedded.ts')});
    const { keepEmbedded } = await import(${file('embedded-keeper.ts')});
    const dataDir = ${JSON.stringify(dataDir)};
    await keepEmbedded(await startEmbeddedPostgres({ dataDir, unsafeFast: true }), dataDir, console);
    process.exit(3);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(existsSync(path.join(dataDir, 'postgres/cluster'))).toBe(true);
  expect(existsSync(path.join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
  await rm(dataDir, { recursive: true });
});

test('a process told to stop during its start leaves no database running', async () => {
  const { program, ended, hasDatabase, remove } = await startInEmptyFolder();
  program.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(hasDatabase()).toBe(false);
  await remove();
});

test.each(['REDIS_URL', 'STRIPE_LOCAL_PORT'])(
  'a start prevented by %s says so, and leaves no database running and no other complaint',
  async (setting) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const wrong = setting === 'REDIS_URL' ? `redis://127.0.0.1:${await freePort()}` : String(port);
    const { ended, output, hasDatabase, remove } = await startInEmptyFolder({ [setting]: wrong });
    expect(await ended).toEqual([1, null]);
    expect(hasDatabase()).toBe(false);
    expect(output()).toMatch(new RegExp(`^  .*${setting}.*\\.$`, 'm'));
    const others = output().replaceAll(/^.*"msg":"redis".*$/gm, '');
    expect(others).not.toMatch(/"level":|^\s+at /m);
    taken.close();
    await remove();
  },
);

test('a Redis that accepts connections and stays silent ends the start, which says so', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { ended, output, hasDatabase, remove } = await startInEmptyFolder({
    REDIS_URL: `redis://127.0.0.1:${port}`,
  });
  expect(await ended).toEqual([1, null]);
  expect(hasDatabase()).toBe(false);
  expect(output()).toMatch(/^ {2}Redis \(REDIS_URL\) cannot be used: Redis is not responding\.$/m);
  silent.close();
  await remove();
});
