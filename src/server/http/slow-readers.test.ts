import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventStream } from '../call.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { createHttpServer } from './server.ts';
import { BODY_PACE } from './slow-bodies.ts';
import { sendEvents } from './sse.ts';

/** The same as in production, only faster. */
const READER_MS = 400;
/** More than the system buffers for a client that doesn't read. */
const MUCH = 16 * 2 ** 20;

let http: FastifyInstance;
const followed = Promise.withResolvers<void>();
beforeAll(async () => {
  const log = createLog({ logLevel: 'silent' });
  http = await createHttpServer(readConfig({}), log, BODY_PACE, READER_MS);
  http.get('/whole', async () => Buffer.alloc(MUCH));
  http.get('/later', async () => delay(3 * READER_MS, 'here'));
  http.get('/events', async (_request, reply) => {
    await sendEvents(reply, new EventStream(many(), () => true)).finally(followed.resolve);
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => http.close());

async function* many() {
  for (let index = 0; index < 16; index += 1) yield { type: 'text-delta', delta: 'a'.repeat(MUCH / 16) };
}

async function ask(path: string): Promise<Socket> {
  const { port } = http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  return socket;
}

const connections = () =>
  new Promise<number>((resolve) => http.server.getConnections((_error, count) => resolve(count)));

test.each(['/whole', '/events'])('%s: a client that reads nothing of an answer is cut off', async (path) => {
  const socket = await ask(path);
  await expect.poll(connections).toBe(1);
  await expect.poll(connections, { timeout: 10 * READER_MS }).toBe(0);
  socket.destroy();
});

test('a stream to a client that does not read ends with the connection', () => followed.promise);

test('a slow reader gets the whole answer', async () => {
  const socket = await ask('/whole');
  const began = performance.now();
  let [received, rests] = [0, 0];
  for await (const piece of socket as AsyncIterable<Buffer>) {
    received += piece.length;
    if (received >= MUCH) break;
    if (received > (rests * MUCH) / 8) await delay(READER_MS / 4);
    rests = Math.ceil((8 * received) / MUCH);
  }
  expect(performance.now() - began).toBeGreaterThan(READER_MS);
  socket.destroy();
});

test('a client that has read everything so far can wait any time for the rest', async () => {
  const { port } = http.server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/later`)).text()).toBe('here');
});
