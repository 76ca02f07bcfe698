import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { newId } from '../id.ts';
import { seedInsights } from './insights.ts';

let product: Product;
let ada: TestClient;
let agentId: string;

beforeAll(async () => {
  product = await startProduct();
  const place = await seedInsights(product.app.deps, 1400, () => undefined);
  agentId = place?.agentId ?? '';
  ada = product.as('ada');
  const { user } = await product.sessionOf('ada');
  await product.app.deps.db.owner.query(
    `insert into member (id, organization_id, user_id, role) values ($1, $2, $3, 'viewer')`,
    [newId('member'), place?.organizationId, user.uid],
  );
});
afterAll(() => product.close());

test('an agent with a history has numbers, people and conversations like any other', async () => {
  const { insight } = await ada.insight.get({ agentId, period: '1y' });
  expect(insight.now.conversations).toBe(200);
  expect(insight.now.messages).toBeGreaterThan(500);
  expect(insight.now.answerRate).toBeGreaterThan(0.8);
  expect(insight.now.ratedUp).toBeGreaterThan(0);
  expect(insight.sources.length).toBeGreaterThan(4);
  expect(insight.channels).toHaveLength(4);
  expect(insight.countries.length).toBeGreaterThan(8);
  const { users } = await ada.endUser.list({ id: agentId });
  expect(users.length).toBeGreaterThan(10);
  const { conversations } = await ada.endUser.listConversations({ id: agentId, count: 100 });
  const read = await ada.endUser.getConversation({ id: agentId, conversationId: conversations[0]?.id ?? '' });
  expect(read.messages[1]?.role).toBe('assistant');
});

test('purchased plans are listed like any other', async () => {
  const { products } = await ada.product.list({ agentId });
  expect(products.map(({ detailsConfig }) => detailsConfig.name).toSorted()).toEqual([
    'Demo plan',
    'Rare plan',
  ]);
});

test('seeding a second time changes nothing', async () => {
  const before = (await ada.insight.get({ agentId, period: '1y' })).insight.now;
  expect((await seedInsights(product.app.deps, 1400, () => undefined))?.agentId).toBe(agentId);
  expect((await ada.insight.get({ agentId, period: '1y' })).insight.now).toEqual(before);
});
