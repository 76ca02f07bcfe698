import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { BODY_PACE } from './slow-bodies.ts';
import { createHttpServer } from './server.ts';

/** The same as in production, only faster. */
const PACE = { everyMs: 400, leastBytes: 4096 };
const MEGABYTE = 2 ** 20;

let http: FastifyInstance;
let letGo: () => void;
const held = new Promise<void>((resolve) => (letGo = resolve));
beforeAll(async () => {
  http = await createHttpServer(readConfig({}), createLog({ logLevel: 'silent' }), PACE);
  http.post('/said', async ({ body }) => body);
  http.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send({}) }, async () => ({}));
  await http.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    const count = async (body: AsyncIterable<Buffer>): Promise<number> => {
      let bytes = 0;
      for await (const piece of body) bytes += piece.length;
      return bytes;
    };
    scope.post('/file', async ({ body }) => ({ bytes: await count(body as AsyncIterable<Buffer>) }));
    scope.post('/later', async ({ body }) => {
      await held;
      return { bytes: await count(body as AsyncIterable<Buffer>) };
    });
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => http.close());

interface Line {
  socket: Socket;
  received: () => string;
  /** Milliseconds until the connection was closed. */
  closed: Promise<number>;
}

async function open(path: string, bytes: number, type = 'application/octet-stream'): Promise<Line> {
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const since = performance.now();
  const closed = once(socket, 'close').then(() => performance.now() - since);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n`,
  );
  return { socket, received: () => received, closed };
}

/** Sends chunks of this many bytes until the connection is closed or everything is sent. */
async function drip({ socket }: Line, bytes: number, everyMs: number, total = Infinity): Promise<void> {
  for (let sent = 0; sent < total && !socket.destroyed; sent += bytes) {
    socket.write(Buffer.alloc(bytes, 'x'));
    await delay(everyMs);
  }
}

test('a body sent a byte at a time is cut off after the time limit', async () => {
  for (const [path, type] of [
    ['/said', 'application/json'],
    ['/file', 'application/octet-stream'],
    ['/nowhere', 'application/json'],
  ] as const) {
    const line = await open(path, 1000, type);
    void drip(line, 1, 20);
    const ms = await line.closed;
    expect(ms).toBeGreaterThan(PACE.everyMs / 2);
    expect(ms).toBeLessThan(PACE.everyMs * 10);
    expect(line.received()).toMatch(/^HTTP\/1\.1 408/);
  }
});

test('a body that never arrives is cut off too, and so is the rest of a refused one', async () => {
  const silent = await open('/said', 1000, 'application/json');
  expect(await silent.closed).toBeLessThan(PACE.everyMs * 10);
  const refused = await open('/refused', MEGABYTE, 'application/json');
  void drip(refused, 1, 20);
  await refused.closed;
  expect(refused.received()).toMatch(/^HTTP\/1\.1 401/);
});

test('a body that keeps arriving can take any time', async () => {
  const line = await open('/file', 64 * 1024);
  // Five times as long as a stalled body gets. A single chunk is enough for each check, however late this process sends
  // it.
  await drip(line, PACE.leastBytes, PACE.everyMs / 3, 64 * 1024);
  await expect.poll(line.received).toContain('{"bytes":65536}');
  line.socket.destroy();
});

test('a client is not cut off for data that the server has not read', async () => {
  const line = await open('/later', MEGABYTE);
  line.socket.write(Buffer.alloc(MEGABYTE));
  await delay(PACE.everyMs * 3);
  expect(line.socket.destroyed).toBe(false);
  letGo();
  await expect.poll(line.received).toContain(`{"bytes":${MEGABYTE}}`);
  line.socket.destroy();
});

test('the time limit is half a minute', () => {
  expect(BODY_PACE.everyMs).toBe(30_000);
});
