import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';

let product: Product;
let headers: Record<string, string>;
beforeAll(async () => {
  product = await startProduct();
  headers = { authorization: `Bearer ${(await product.sessionOf('ada')).idToken}` };
});
afterAll(() => product.close());

const ask = (method: string, path: string) => fetch(product.url + path, { method, headers });

test.each([
  ['DELETE', '/v1/chat', 'GET, HEAD, OPTIONS, POST'],
  ['PATCH', '/v1/chatbot/agt_1', 'DELETE, GET, HEAD, PUT'],
  ['GET', '/v1/chat/cnv_1/stop?a=1', 'OPTIONS, POST'],
  ['POST', '/docs', 'GET, HEAD'],
  // HEAD requests that would double a rate limit, have no end, or act on something that works only once.
  ['HEAD', '/v1/user/username/ada/check', 'GET'],
  ['HEAD', '/v1/chat/cnv_1/stream', 'GET, OPTIONS'],
  ['HEAD', '/v1/plugin/twitter/oauth-callback', 'GET'],
])('%s %s is a 405 that lists the allowed methods', async (method, path, allowed) => {
  const response = await ask(method, path);
  expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  if (method !== 'HEAD')
    expect(await response.json()).toMatchObject({ status: 405, code: 'request/method-not-allowed' });
});

test.each(['DELETE', 'POST'])('an unknown address is a 404 for %s', async (method) => {
  const response = await ask(method, '/v1/nothing');
  expect([response.status, response.headers.get('allow')]).toEqual([404, null]);
});

test('HEAD is answered like GET, without a body', async () => {
  const [got, asked] = await Promise.all([ask('GET', '/v1/chat'), ask('HEAD', '/v1/chat')]);
  const told = ({ status, headers: sent }: Response) => [status, sent.get('content-type')];
  expect(told(asked)).toEqual(told(got));
  expect(asked.headers.get('content-length')).toBe(String((await got.text()).length));
  expect(await asked.text()).toBe('');
  expect((await fetch(`${product.url}/v1/chat`, { method: 'HEAD' })).status).toBe(401);
});

test('HEAD of a file returns its type without generating it', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const response = await ask('HEAD', `/v1/chatbot/${id}/export?organizationId=${organizationId}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(response.headers.get('content-length')).toBeNull();
});
