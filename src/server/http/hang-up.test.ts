import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { hangingUp } from './hang-up.ts';

test('a stopping server closes each connection with its next answer', async () => {
  const http = fastify();
  const hangUp = hangingUp(http);
  http.get('/', async () => 'here');
  const connectionOf = async () => (await fetch(`${address}/`)).headers.get('connection');
  const address = await http.listen({ host: '127.0.0.1', port: 0 });
  expect(await connectionOf()).toBe('keep-alive');
  hangUp();
  expect(await connectionOf()).toBe('close');
  await http.close();
});

test('a connection kept alive by an answer in progress does not delay the stop', async () => {
  const http = fastify();
  const hangUp = hangingUp(http);
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<string>();
  http.get('/', () => {
    arrived.resolve();
    return answered.promise;
  });
  const address = await http.listen({ host: '127.0.0.1', port: 0 });
  const answer = fetch(`${address}/`);
  await arrived.promise;
  hangUp();
  const closed = http.close();
  // By now it waits for nobody else.
  await sleep(200);
  answered.resolve('here');
  const response = await answer;
  expect(response.headers.get('connection')).toBe('keep-alive');
  expect(await response.text()).toBe('here');
  await closed;
});

test('a client that does not read its answer to the end is cut off', async () => {
  const http = fastify();
  const hangUp = hangingUp(http, 300);
  http.get('/', (_request, reply) => {
    reply.hijack();
    reply.raw.write(Buffer.alloc(32 * 1024 * 1024));
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = http.server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  client.pause();
  client.on('error', () => client.destroy());
  await once(http.server, 'request');
  const began = performance.now();
  hangUp();
  await http.close();
  expect(performance.now() - began).toBeGreaterThan(250);
  client.destroy();
});
