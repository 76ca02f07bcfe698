import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../product.ts';
import { hashRows } from './calls.ts';
import { createWorld, type World } from './world.ts';

let product: Product;
let world: World;
beforeAll(async () => {
  product = await startProduct();
  world = await createWorld(product);
});
afterAll(() => product.close());

/** Sends a request verbatim: `fetch` would normalize method and path. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<number> {
  const { hostname, port } = new URL(product.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const query = () => `organizationId=${world.organizationId}`;

test('no spelling of an address grants more than its plain form', async () => {
  const paths = [
    '/v1/chatbot',
    '//v1/chatbot',
    '/v1//chatbot',
    '/v1/./chatbot',
    '/v1/x/../chatbot',
    '/V1/chatbot',
    '/v1/Chatbot',
    '/v1/%63hatbot',
    '/%76%31/chatbot',
    '/v1/%2e/chatbot',
    '/v1/%2e%2e/v1/chatbot',
    '/v1/chatbot/',
    '/v1/chatbot;a=b',
    '/v1/chatbot%20',
    '/v1/chatbot%00',
    '/v1/chatbot.json',
    '/v1\\chatbot',
  ];
  for (const path of paths) {
    expect([path, [400, 401, 404]]).toEqual([
      path,
      expect.arrayContaining([await ask('GET', `${path}?${query()}`)]),
    ]);
  }
});

test('no method override grants more than the plain method', async () => {
  const viewer = (await world.as('viewer').team.get({ id: world.teamId })).team;
  expect(viewer.id).toBe(world.teamId);
  const { idToken } = await product.sessionOf('outsider');
  const authorization = `Bearer ${idToken}`;
  const path = `/v1/platform/team/${world.teamId}`;
  const before = await hashRows(product);
  const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override'];
  for (const header of overrides) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const headers = { authorization, [header]: 'DELETE', 'content-type': 'application/json' };
      expect([400, 404, 405]).toContain(await ask(method, path, headers, method === 'GET' ? '' : '{}'));
    }
  }
  expect([400, 404]).toContain(await ask('GET', `${path}?_method=DELETE`, { authorization }));
  for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'PROPFIND']) {
    expect(await ask(method, path, { authorization })).toBeGreaterThanOrEqual(400);
  }
  expect(await hashRows(product)).toEqual(before);
});

test('HEAD does not bypass sign-in', async () => {
  expect([401, 404]).toContain(await ask('HEAD', `/v1/chatbot?${query()}`));
});

test('a credential in another place is not accepted', async () => {
  const { idToken } = await product.sessionOf('owner');
  const path = `/v1/chatbot?${query()}`;
  expect(await ask('GET', path, { authorization: `Bearer ${idToken}` })).toBe(200);
  expect(await ask('GET', path, { cookie: `auth-token=${idToken}` })).toBe(200);
  expect(await ask('GET', path, { 'id-token': idToken })).toBe(401);
  expect(await ask('GET', path, { 'x-api-key': idToken })).toBe(401);
  expect(await ask('GET', path, { authorization: idToken })).toBe(401);
  expect(await ask('GET', path, { authorization: `Basic ${idToken}` })).toBe(401);
  expect([400, 401]).toContain(await ask('GET', `${path}&token=${idToken}`));
  expect([400, 401]).toContain(await ask('GET', `${path}&access_token=${idToken}`));
});
