import { request } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { freePort } from '../../../test/e2e/server.ts';
import { readConfig } from '../config/config.ts';
import { originOf } from '../origin.ts';
import { explainListen, listenAt } from './listen.ts';

async function serve(port: number, host = '127.0.0.1'): Promise<FastifyInstance> {
  const http = fastify();
  http.get('/', async () => 'here');
  await listenAt(http, { host, port });
  return http;
}

/** Over its own connection. */
const get = (port: number, host = '127.0.0.1') =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ host, port, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    })
      .once('error', reject)
      .end();
  });

/** Whether TCP_NODELAY is set. Node keeps it under a private symbol and has no call to read it. */
function isUndelayed(socket: Socket): unknown {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'kSetNoDelay');
  if (!key) throw new Error('This Node keeps the flag elsewhere.');
  return Reflect.get(socket, key);
}

test.runIf(process.platform === 'linux')(
  'links default to the address where the server listens',
  async () => {
    const origins = [];
    const port = await freePort();
    for (const host of ['127.0.0.1', '0.0.0.0', '127.0.0.2']) {
      const http = await serve(port, host);
      origins.push(originOf(http, readConfig({ HOST: host })));
      const elsewhere = { HOST: host, PUBLIC_URL: 'https://chat.example.com' };
      expect(originOf(http, readConfig(elsewhere))).toBe('https://chat.example.com');
      expect(await get(port, host === '127.0.0.2' ? host : 'localhost')).toBe(200);
      await http.close();
    }
    expect(origins).toEqual([
      `http://localhost:${port}`,
      `http://localhost:${port}`,
      `http://127.0.0.2:${port}`,
    ]);
  },
);

test('every connection is answered, whichever socket accepts it', async () => {
  const port = await freePort();
  const http = await serve(port);
  const answers = await Promise.all(Array.from({ length: 300 }, () => get(port)));
  expect(new Set(answers)).toEqual(new Set([200]));
  await http.close();
});

test('Nagle’s algorithm is off, whichever socket accepts the connection', async () => {
  const port = await freePort();
  const http = await serve(port);
  const taken: Socket[] = [];
  http.server.on('connection', (socket) => taken.push(socket));
  await Promise.all(Array.from({ length: 100 }, () => get(port)));
  expect(taken).toHaveLength(100);
  expect(new Set(taken.map(isUndelayed))).toEqual(new Set([true]));
  await http.close();
});

test('a second server learns that the port is taken, although ports can be shared', async () => {
  const port = await freePort();
  const http = await serve(port);
  await expect(serve(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(await get(port)).toBe(200);
  await http.close();
});

test('an unusable listen address produces advice', async () => {
  for (const host of ['nowhere.invalid', '192.0.2.1']) {
    const address = { host, port: await freePort() };
    const failure: unknown = await serve(address.port, host).catch((error: unknown) => error);
    expect(explainListen(failure, address)).toMatchObject({
      message: expect.stringMatching(/^HOST is .*, which is not an address of this machine/),
    });
  }
  const other = new Error('something else');
  expect(explainListen(other, { host: '127.0.0.1', port: 1 })).toBe(other);
});

test('a closed server frees the port', async () => {
  const port = await freePort();
  await (await serve(port)).close();
  await expect(get(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const again = await serve(port);
  expect(await get(port)).toBe(200);
  await again.close();
});

test.each(['localhost', '0.0.0.0', '::'])('the server listens at %s', async (host) => {
  const port = await freePort();
  const http = await serve(port, host);
  for (let each = 0; each < 40; each += 1) expect(await get(port, 'localhost')).toBe(200);
  await http.close();
});
