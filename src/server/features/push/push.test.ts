import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startPushService, type PushService } from '../../../../test/stand-ins/push-service.ts';
import { PUSH_BROWSERS_MAX } from '../../../contract/limits.ts';

let product: Product;
let service: PushService;
let ada: TestClient;
let organizationId: string;
let agentId: string;
let publicKey: string;

beforeAll(async () => {
  service = await startPushService(() => publicKey);
  product = await startProduct({ ssrfAllowedHosts: [service.host], mailFrom: 'Parley <care@shop.example>' });
  ada = product.as('ada');
  ({ publicKey } = await ada.push.key());
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
beforeEach(() => {
  service.received = [];
  service.status = 201;
});
afterAll(async () => {
  await product.close();
  await service.close();
});

async function askForPerson(name: string, reason = '') {
  const client = product.as(name);
  const { id } = (await client.chat.create({ chatbotId: agentId })).conversation;
  await client.handover.ask({ id, reason });
  return { id, cancel: () => client.handover.cancel({ id }) };
}

const told = (count: number) => expect.poll(() => service.received.length).toBe(count);
const countSubscriptions = async () =>
  (await product.app.deps.db.owner.query('select 1 from push_subscription')).rowCount;

test('a member’s browser is notified of who is waiting, and only it can decrypt the message', async () => {
  await ada.push.subscribe(service.subscription);
  await ada.push.subscribe(service.subscription);
  const { id } = await askForPerson('bob', 'My bill');
  await told(1);
  expect(service.received).toEqual([
    {
      title: 'bob asks for a person',
      body: 'My bill',
      url: `/platform/${organizationId}/inbox/${id}`,
      tag: id,
    },
  ]);
  expect(service.senders).toEqual(['mailto:care@shop.example']);
});

test('no notification for a member who may not answer, has unsubscribed or has another account in the same browser', async () => {
  const viewer = await join(product, ada, 'vera', { organizationId, role: 'viewer', teams: [] });
  await viewer.client.push.subscribe(service.subscription);
  expect(await countSubscriptions()).toBe(1);
  await ada.push.unsubscribe({ endpoint: service.subscription.endpoint });
  expect(await countSubscriptions()).toBe(1);
  await askForPerson('carl');
  await ada.push.subscribe(service.subscription);
  await ada.push.unsubscribe({ endpoint: service.subscription.endpoint });
  expect(await countSubscriptions()).toBe(0);
  await askForPerson('dora');
  await ada.push.subscribe(service.subscription);
  await askForPerson('emil');
  await told(1);
  expect(service.received.map(({ title }) => title)).toEqual(['emil asks for a person']);
});

test('an expired subscription is dropped, and an unreachable push service is retried later', async () => {
  await ada.push.subscribe(service.subscription);
  service.status = 503;
  await askForPerson('finn');
  setTimeout(() => (service.status = 201), 1500);
  await told(1);
  service.status = 410;
  await askForPerson('gert');
  await expect.poll(countSubscriptions).toBe(0);
});

test('a former member is not notified of earlier requests', async () => {
  const editor = await join(product, ada, 'egon', { organizationId, role: 'admin', teams: [] });
  await editor.client.push.subscribe(service.subscription);
  service.status = 503;
  await askForPerson('gina', 'My bill');
  await ada.member.remove({ id: editor.memberId });
  service.status = 201;
  const open = async () =>
    (
      await product.app.deps.db.owner.query<{ count: number }>(
        `select count(*)::int as count from pgboss.job where name = 'push.send' and state not in ('completed', 'failed')`,
      )
    ).rows[0]?.count;
  await expect.poll(open, { timeout: 60_000 }).toBe(0);
  expect(service.received).toEqual([]);
  await editor.client.push.unsubscribe({ endpoint: service.subscription.endpoint });
});

test('internal addresses are not contacted, invalid keys are refused, and subscriptions per person are limited', async () => {
  const { subscription } = service;
  for (const [field, value] of [
    ['endpoint', 'ftp://push.example'],
    ['p256dh', 'AAAA'],
    ['p256dh', Buffer.alloc(65, 4).toString('base64url')],
    ['auth', 'AAAA'],
  ] as const)
    await expect(ada.push.subscribe({ ...subscription, [field]: value })).rejects.toMatchObject({
      status: 400,
    });
  await ada.push.subscribe({ ...subscription, endpoint: 'http://127.0.0.1:1/inside' });
  await askForPerson('hugo');
  await expect.poll(countSubscriptions).toBe(0);
  for (let made = 0; made < PUSH_BROWSERS_MAX + 3; made += 1)
    await ada.push.subscribe({ ...subscription, endpoint: `https://push.example/${made}` });
  expect(await countSubscriptions()).toBe(PUSH_BROWSERS_MAX);
});
