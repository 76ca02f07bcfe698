import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../../test/e2e/server.ts';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { openSocket, outcomeOf } from '../../../test/sockets.ts';
import { createApp, type App } from '../app.ts';
import { createLog } from '../log.ts';

/** Two processes: events at one reach browsers at the other. */

let redis: ChildProcess;
let redisUrl: string;

beforeAll(async () => {
  const port = await freePort();
  redis = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  redisUrl = `redis://127.0.0.1:${port}`;
  for await (const line of redis.stdout ?? []) if (String(line).includes('Ready to accept')) break;
});
afterAll(async () => {
  redis.kill();
  await once(redis, 'exit');
});

async function startTwo(given: {
  redisUrl?: string;
}): Promise<{ product: Product; other: App; otherUrl: string }> {
  const product = await startProduct(given);
  return { product, ...(await startAnother(product)) };
}

async function startAnother(product: Product): Promise<{ other: App; otherUrl: string }> {
  const { config } = product.app.deps;
  const other = await createApp({ ...config, databaseUrl: product.databaseUrl }, createLog(config));
  await other.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = other.http.server.address() as AddressInfo;
  return { other, otherUrl: `http://127.0.0.1:${port}` };
}

async function converse(client: TestClient) {
  const organizationId = (await client.organization.create({ name: 'Acme' })).organization.id;
  const { chatbot } = await client.chatbot.create({ organizationId, name: 'Helper' });
  const { conversation } = await client.chat.create({ chatbotId: chatbot.id });
  await client.chat.send({ id: conversation.id, text: 'Hello?' });
  return conversation;
}

test.each(['database', 'redis'])('a change reaches another process’s sockets through the %s', async (by) => {
  const { product, other, otherUrl } = await startTwo(by === 'redis' ? { redisUrl } : {});
  try {
    const ada = product.as('ada');
    const { idToken } = await product.sessionOf('ada');
    const socket = openSocket({ ...product, url: otherUrl }, { idToken });
    expect(await outcomeOf(socket)).toBe('connected');
    const heard: string[] = [];
    socket.on('conversation.updated', ({ conversationId }) => heard.push(conversationId));
    const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
    const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
    const { conversation } = await ada.chat.create({ chatbotId: id });
    await ada.chat.send({ id: conversation.id, text: 'Hello?' });
    await expect.poll(() => heard).toContain(conversation.id);
    // Ending a session at one closes its socket at the other.
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    await ada.identity.signOutEverywhere();
    await closed;
  } finally {
    await other.close();
    await product.close();
  }
});

test('a broken connection is restored, and none is left open', async () => {
  const { product, other, otherUrl } = await startTwo({});
  const ada = product.as('ada');
  const { idToken } = await product.sessionOf('ada');
  const { owner } = product.app.deps.db;
  const listening = async () => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and query like 'LISTEN "parley%'`,
    );
    return rows.map(({ pid }) => pid);
  };
  for (let round = 0; round < 3; round += 1) {
    const broken = await listening();
    await owner.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [broken]);
    // A closing one stays visible a moment longer.
    const anew = async () => (await listening()).filter((pid) => !broken.includes(pid));
    await expect.poll(anew).toHaveLength(2);
  }
  const socket = openSocket({ ...product, url: otherUrl }, { idToken });
  expect(await outcomeOf(socket)).toBe('connected');
  const heard: string[] = [];
  socket.on('conversation.updated', ({ conversationId }) => heard.push(conversationId));
  const { id } = await converse(ada);
  await expect.poll(() => heard).toContain(id);
  await other.close();
  await product.close();
});

test('a lone process sends no notifications, and starts when another one joins', async () => {
  const product = await startProduct({});
  const listener = new pg.Client({ connectionString: product.databaseUrl });
  await listener.connect();
  await listener.query('listen "parley#/"');
  const told: string[] = [];
  listener.on('notification', ({ payload = '' }) => {
    if (/conversation\.updated|mark/.test(payload)) told.push(payload);
  });
  const ada = product.as('ada');
  const { idToken } = await product.sessionOf('ada');
  const { id } = await converse(ada);
  // At first a process can't know whether it is alone.
  await expect.poll(() => told.length).toBeGreaterThan(0);
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
  onTestFinished(() => later.mockRestore());
  told.length = 0;

  const here = openSocket(product, { idToken });
  expect(await outcomeOf(here)).toBe('connected');
  const heardHere = new Promise((resolve) => here.once('conversation.updated', resolve));
  await ada.chat.send({ id, text: 'And now?' });
  await heardHere;
  const mark = JSON.stringify({ mark: 'What was notified before this is heard before it.' });
  await listener.query('select pg_notify($1, $2)', ['parley#/', mark]);
  await expect.poll(() => told).toEqual([mark]);

  const { other, otherUrl } = await startAnother(product);
  const there = openSocket({ ...product, url: otherUrl }, { idToken });
  expect(await outcomeOf(there)).toBe('connected');
  const heardThere = new Promise((resolve) => there.once('conversation.updated', resolve));
  await ada.chat.send({ id, text: 'And there?' });
  await heardThere;
  await listener.end();
  await other.close();
  await product.close();
});
