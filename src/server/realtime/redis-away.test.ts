import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Socket } from 'socket.io-client';
import { freePort } from '../../../test/e2e/server.ts';
import { join } from '../../../test/join.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { openSocket, outcomeOf } from '../../../test/sockets.ts';
import { createApp, type App } from '../app.ts';
import { createLog } from '../log.ts';

/** Two processes connected by a Redis that dies or stops responding. */

let port: number;
let redis: ChildProcess;
let product: Product;
let other: App;
let otherUrl: string;
let organizationId: string;
let agentId: string;
const opened: Socket[] = [];
const logged: string[] = [];

beforeAll(async () => {
  port = await freePort();
  redis = await startRedis();
  product = await startProduct({ redisUrl: `redis://127.0.0.1:${port}`, logLevel: 'warn' }, { logged });
  const { config } = product.app.deps;
  other = await createApp({ ...config, databaseUrl: product.databaseUrl }, createLog(config));
  await other.http.listen({ host: '127.0.0.1', port: 0 });
  otherUrl = `http://127.0.0.1:${(other.http.server.address() as AddressInfo).port}`;
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  for (const socket of opened) socket.close();
  redis.kill('SIGCONT');
  await other.close();
  await product.close();
  redis.kill();
});

async function startRedis(): Promise<ChildProcess> {
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '']);
  for await (const line of child.stdout) if (String(line).includes('Ready to accept')) break;
  child.stdout.resume();
  return child;
}

async function open(url: string, idToken: string): Promise<Socket> {
  const socket = openSocket({ ...product, url }, { idToken });
  opened.push(socket);
  expect(await outcomeOf(socket)).toBe('connected');
  return socket;
}

/** The conversations a tab is told of. */
async function tabAt(url: string): Promise<string[]> {
  const socket = await open(url, (await product.sessionOf('ada')).idToken);
  const heard: string[] = [];
  socket.on('conversation.updated', ({ conversationId }) => heard.push(conversationId));
  return heard;
}

/** What a watcher of the agent is told about its knowledge. */
async function watcherAt(url: string, idToken: string): Promise<unknown[]> {
  const socket = await open(url, idToken);
  expect(await socket.timeout(5000).emitWithAck('agent.watch', agentId)).toBe(true);
  const heard: unknown[] = [];
  socket.on('knowledge.progress.update.result', (event) => heard.push(event));
  return heard;
}

async function converse(): Promise<string> {
  const ada = product.as('ada');
  const { conversation } = await ada.chat.create({ chatbotId: agentId });
  await ada.chat.send({ id: conversation.id, text: 'Hello?' });
  return conversation.id;
}

test('a full Redis is logged, does not stop delivery within a process, and is used again once it has room', async () => {
  const [here, there] = [await tabAt(product.url), await tabAt(otherUrl)];
  const limit = async (memory: string) =>
    once(spawn('redis-cli', ['-p', String(port), 'config', 'set', 'maxmemory', memory]), 'exit');
  logged.length = 0;
  await limit('1kb');
  const alone = await converse();
  await expect.poll(() => here).toContain(alone);
  expect(there).not.toContain(alone);
  const complaints = () => logged.filter((line) => line.includes('redis did not take'));
  await expect.poll(complaints).toEqual([expect.stringContaining('OOM command not allowed')]);
  await limit('0');
  const told = await converse();
  await expect.poll(() => there).toContain(told);
});

test('a dead Redis blocks no process, their own tabs are notified, and it is used again when back', async () => {
  const here = await tabAt(product.url);
  const there = await tabAt(otherUrl);
  const ended = once(redis, 'exit');
  redis.kill('SIGKILL');
  await ended;
  const alone = await converse();
  await expect.poll(() => here).toContain(alone);
  expect(there).not.toContain(alone);
  redis = await startRedis();
  await expect
    .poll(
      async () => {
        await converse();
        return there.length;
      },
      { timeout: 15_000, interval: 500 },
    )
    .toBeGreaterThan(0);
});

test('an unresponsive Redis does not stop delivery within a process', async () => {
  const here = await tabAt(product.url);
  redis.kill('SIGSTOP');
  const id = await converse();
  await expect.poll(() => here).toContain(id);
  redis.kill('SIGCONT');
});

test('a member is removed even while other processes do not respond, and is disconnected there once they do', async () => {
  const ada = product.as('ada');
  const person = await join(product, ada, 'watcher', { organizationId, role: 'editor' });
  const { idToken } = await person.refresh();
  const [here, there, mine] = await Promise.all([
    watcherAt(product.url, idToken),
    watcherAt(otherUrl, idToken),
    watcherAt(otherUrl, (await product.sessionOf('ada')).idToken),
  ]);
  const teach = async () => {
    await ada.knowledge.create({
      id: agentId,
      organizationId,
      type: 'text',
      description: 'Hours',
      text: 'Nine.',
    });
  };
  redis.kill('SIGSTOP');
  await ada.member.remove({ id: person.memberId });
  here.length = 0;
  await teach();
  redis.kill('SIGCONT');
  /** How much they still receive of a member's events. */
  const heardStill = async () => {
    [there.length, mine.length] = [0, 0];
    await teach();
    await expect.poll(() => mine.length).toBeGreaterThan(0);
    await delay(500);
    return there.length;
  };
  await expect.poll(heardStill, { timeout: 30_000, interval: 500 }).toBe(0);
  expect(here).toEqual([]);
});
