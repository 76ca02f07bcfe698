import fastify from 'fastify';
import { expect, test } from 'vitest';
import { hangingUp } from './hang-up.ts';

test('a server that stops ends each connection with its next answer', async () => {
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
