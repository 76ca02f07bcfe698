import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import type { Caller } from '../call.ts';
import { vaultOf } from '../identity/secrets.ts';
import { openCursor, sealCursor, type Listing } from './pages.ts';

let product: Product;
let ada: TestClient;
let organizations: string[];
beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizations = await Promise.all(
    ['One', 'Two'].map(async (name) => {
      const { id } = (await ada.organization.create({ name })).organization;
      for (const agent of ['a', 'b', 'c']) await ada.chatbot.create({ organizationId: id, name: agent });
      return id;
    }),
  );
});
afterAll(() => product.close());
afterEach(() => vi.useRealTimers());

const [one, two] = [() => organizations[0] ?? '', () => organizations[1] ?? ''];
const refused = { status: 400, code: 'request/invalid', errors: [{ path: 'cursor' }] };

async function cursorOf(organizationId: string): Promise<string> {
  return (await ada.audit.list({ organizationId, count: 1 })).nextCursor ?? '';
}

test('a cursor leads to the next page, at any page size', async () => {
  const cursor = await cursorOf(one());
  const whole = await ada.audit.list({ organizationId: one() });
  for (const count of [1, 50]) {
    const { entries } = await ada.audit.list({ organizationId: one(), count, cursor });
    expect(entries).toEqual(whole.entries.slice(1, 1 + count));
  }
});

test.each([
  ['edited', (cursor: string) => (cursor.startsWith('a') ? 'b' : 'a') + cursor.slice(1)],
  ['of another day', (cursor: string) => cursor.replace(/\.(\d+)\./, (_all, day) => `.${Number(day) + 1}.`)],
  ['without its proof', (cursor: string) => cursor.replace(/\.[^.]*$/, '')],
  ['with a shorter proof', (cursor: string) => cursor.slice(0, -1)],
  ['with something behind it', (cursor: string) => `${cursor}.x`],
  ['only its place', (cursor: string) => cursor.split('.')[0] ?? ''],
  ['empty', () => ''],
])('a cursor that is %s is refused', async (_what, change) => {
  const cursor = change(await cursorOf(one()));
  await expect(ada.audit.list({ organizationId: one(), cursor })).rejects.toMatchObject(refused);
});

test('a cursor of a hundred thousand characters is refused', async () => {
  const { idToken } = await product.sessionOf('ada');
  const query = new URLSearchParams({ organizationId: one(), cursor: 'a'.repeat(100_000) });
  const answer = await product.app.http.inject({
    url: `/v1/platform/audit?${query}`,
    headers: { authorization: `Bearer ${idToken}` },
  });
  expect(answer.statusCode).toBe(400);
});

test('a cursor of another list, query or person is refused', async () => {
  const cursor = await cursorOf(one());
  await expect(ada.audit.list({ organizationId: two(), cursor })).rejects.toMatchObject(refused);
  const action = 'organization.renamed';
  await expect(ada.audit.list({ organizationId: one(), cursor, action })).rejects.toMatchObject(refused);
  await expect(ada.coupon.list({ organizationId: one(), cursor })).rejects.toMatchObject(refused);
  const { chatbot } = await ada.chatbot.create({ organizationId: one(), name: 'Helper' });
  const bob = product.as('bob');
  for (const client of [ada, ada, bob, bob]) {
    const { conversation } = await client.chat.create({ chatbotId: chatbot.id });
    await client.chat.send({ id: conversation.id, text: 'Hello' });
  }
  const { nextCursor } = await bob.chat.list({ count: 1 });
  await expect(ada.chat.list({ cursor: nextCursor ?? '' })).rejects.toMatchObject(refused);
});

const vault = vaultOf('a secret');
const listing: Listing = {
  operationId: 'audit.list',
  route: { access: 'member', input: z.strictObject({ cursor: z.string() }) },
  caller: { kind: 'user', userId: 'usr_1' } as unknown as Caller,
  input: { organizationId: 'org_1', count: 20 },
};

test('a cursor is valid for a week', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const cursor = sealCursor(vault, 'place', listing);
  vi.advanceTimersByTime(7 * 24 * 3600 * 1000);
  expect(openCursor(vault, cursor, listing)).toBe('place');
  vi.advanceTimersByTime(24 * 3600 * 1000);
  expect(() => openCursor(vault, cursor, listing)).toThrow('This cursor is not one of this list');
});

test('a cursor of another installation is refused, but one of the previous secret is accepted', () => {
  const cursor = sealCursor(vault, 'place', listing);
  expect(() => openCursor(vaultOf('another'), cursor, listing)).toThrow();
  expect(openCursor(vaultOf('another', 'a secret'), cursor, listing)).toBe('place');
});

test('signing in between two pages of a public list keeps the cursor valid', () => {
  const open: Listing = { ...listing, route: { ...listing.route, access: 'public' } };
  const cursor = sealCursor(vault, 'place', { ...open, caller: { kind: 'anonymous' } });
  expect(openCursor(vault, cursor, open)).toBe('place');
});
