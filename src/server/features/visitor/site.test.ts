import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '../../../contract/index.ts';
import type { Route } from '../../../contract/route.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { bearing, fromSite, visit } from '../../../../test/visit.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

const SHOP = 'https://shop.example';
const elsewhere = { status: 403, code: 'visitor/origin-not-allowed' };

async function makeAgent(allowedOrigins: string[]): Promise<string> {
  const { id } = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  await owner.chatbot.update({ id, organizationId, allowedOrigins });
  return id;
}

test('an agent with a list of sites can be visited only from those, and not without a site', async () => {
  const id = await makeAgent([SHOP, 'https://*.brand.example']);
  for (const site of [SHOP, 'https://de.brand.example'])
    expect((await visit(product, id, { site })).agent.id).toBe(id);
  const strangers = ['https://shop.example.evil.example', 'http://shop.example', 'https://brand.example'];
  for (const site of [...strangers, `${SHOP}:8443`, `${SHOP}.`, 'null', undefined, product.url])
    await expect(visit(product, id, { site })).rejects.toMatchObject(elsewhere);
});

test('list entries are normalized as browsers write origins, and an invalid entry is refused by its position', async () => {
  const id = await makeAgent(['https://Shop.Example/', 'https://*.bücher.example']);
  const { chatbot } = await owner.chatbot.get({ id, organizationId });
  expect(chatbot.allowedOrigins).toEqual([SHOP, 'https://*.xn--bcher-kva.example']);
  const wrong = owner.chatbot.update({ id, organizationId, allowedOrigins: [SHOP, '*'] });
  await expect(wrong).rejects.toMatchObject({ status: 400, errors: [{ path: 'allowedOrigins.1' }] });
});

test('guests and accounts cannot bypass the list, but members can', async () => {
  const id = await makeAgent([SHOP]);
  await expect(product.as('guest', 'guest').chat.create({ chatbotId: id })).rejects.toMatchObject(elsewhere);
  await expect(product.as('stranger').chat.create({ chatbotId: id })).rejects.toMatchObject(elsewhere);
  await owner.chat.create({ chatbotId: id });
});

test('a chat begun before the list existed does not continue on another site', async () => {
  const id = await makeAgent([]);
  const guest = product.as('early', 'guest');
  const { conversation } = await guest.chat.create({ chatbotId: id });
  await owner.chatbot.update({ id, organizationId, allowedOrigins: [SHOP] });
  await expect(guest.chat.send({ id: conversation.id, text: 'Hi' })).rejects.toMatchObject(elsewhere);
});

test('a token works on its own site and in our frame, on no other page', async () => {
  const id = await makeAgent([]);
  const { chat } = bearing(product, (await visit(product, id, { site: SHOP })).token);
  for (const site of [SHOP, product.url, undefined]) await chat.create({ chatbotId: id }, fromSite(site));
  for (const site of ['https://evil.example', 'http://shop.example', `${SHOP}.evil.example`, 'null'])
    await expect(chat.create({ chatbotId: id }, fromSite(site))).rejects.toMatchObject(elsewhere);
});

test('a site removed from the list loses access at once, whatever tokens it has', async () => {
  const id = await makeAgent([SHOP, 'https://other.example']);
  const { chat } = bearing(product, (await visit(product, id, { site: SHOP })).token);
  const { conversation } = await chat.create({ chatbotId: id });
  await owner.chatbot.update({ id, organizationId, allowedOrigins: ['https://other.example'] });
  await expect(chat.create({ chatbotId: id })).rejects.toMatchObject(elsewhere);
  await expect(chat.send({ id: conversation.id, text: 'Hi' })).rejects.toMatchObject(elsewhere);
});

test('a token without a site does not open an agent that has a list', async () => {
  const id = await makeAgent([]);
  const { chat } = bearing(product, (await visit(product, id)).token);
  await chat.create({ chatbotId: id });
  await owner.chatbot.update({ id, organizationId, allowedOrigins: [SHOP] });
  await expect(chat.create({ chatbotId: id })).rejects.toMatchObject(elsewhere);
});

test('pages of other sites can make visitor calls without cookies, and no other call', async () => {
  for (const route of Object.values(contract).flatMap((calls) => Object.values(calls) as Route[])) {
    const url = product.url + route.path.replaceAll(/\{\w+\}/g, 'x');
    const headers = { origin: 'https://evil.example', 'access-control-request-method': route.method };
    const asked = await fetch(url, { method: 'OPTIONS', headers });
    const isOpen = route.access === 'chat' || route.visitors;
    expect([route.path, asked.status]).toEqual([route.path, isOpen ? 204 : expect.any(Number)]);
    expect([route.path, asked.headers.get('access-control-allow-origin')]).toEqual([
      route.path,
      isOpen ? '*' : null,
    ]);
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    const made = await fetch(url, { method: route.method, headers });
    expect([route.path, made.headers.get('access-control-allow-origin')]).toEqual([
      route.path,
      isOpen ? '*' : null,
    ]);
    expect(made.headers.get('access-control-allow-credentials')).toBeNull();
  }
});

test('a page of the site can read a streamed answer', async () => {
  const id = await makeAgent([SHOP]);
  const { token } = await visit(product, id, { site: SHOP });
  const { conversation } = await bearing(product, token).chat.create({ chatbotId: id });
  const response = await fetch(`${product.url}/v1/chat/${conversation.id}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      origin: SHOP,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text: 'When do you open?' }),
  });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.text()).toContain('[DONE]');
});

test('a cookie on another site’s page identifies nobody', async () => {
  const id = await makeAgent([]);
  const { idToken } = await product.sessionOf('victim', 'guest');
  const response = await fetch(`${product.url}/v1/chat`, {
    method: 'POST',
    headers: {
      cookie: `auth-token=${idToken}`,
      origin: 'https://evil.example',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ chatbotId: id }),
  });
  expect(response.status).toBe(403);
  expect((await product.as('victim', 'guest').chat.list()).conversations).toEqual([]);
});
