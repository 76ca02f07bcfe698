import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

/** Everything sent in answer to these bytes, until the other side closes the connection. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

test.each([
  ['a method that HTTP does not have', 'FOO /v1/chat HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'request/invalid'],
  ['no HTTP', 'Hello, who is there?\r\n\r\n', 400, 'request/invalid'],
  ['a header without a name', 'GET /v1/chat HTTP/1.1\r\n: a\r\n\r\n', 400, 'request/invalid'],
  [
    'a head that is too large',
    `GET /v1/chat HTTP/1.1\r\nhost: a\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'request/head-too-large',
  ],
])('%s is refused with a problem document like any other failure', async (_what, bytes, status, code) => {
  const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('content-type: application/problem+json; charset=utf-8');
  expect(head).toContain('x-content-type-options: nosniff');
  const problem = JSON.parse(body) as { requestId: string };
  expect(problem).toMatchObject({ status, code, type: `/docs/errors#${code}` });
  expect(head).toContain(`x-request-id: ${problem.requestId}`);
});
