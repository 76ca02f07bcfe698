import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { newId } from '../id.ts';
import { readQuestions } from '../features/improvement/read-questions.ts';
import { seedInsights } from './insights.ts';
import { seedQuestions } from './questions.ts';

let product: Product;
let ada: TestClient;
let agentId: string;
let organizationId: string;

beforeAll(async () => {
  product = await startProduct();
  const place = await seedInsights(product.app.deps, 1400, () => undefined);
  agentId = place?.agentId ?? '';
  organizationId = place?.organizationId ?? '';
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

test('questions that a sweep has read before they are seeded get their topics all the same', async () => {
  const { owner } = product.app.deps.db;
  await owner.query('delete from question where agent_id = $1', [agentId]);
  await owner.query(`update question_reading set seen_until = 'epoch', is_due = true where agent_id = $1`, [
    agentId,
  ]);
  await readQuestions(product.app.deps);
  const count = async (which: string): Promise<number> => {
    const { rows } = await owner.query(`select 1 from question where agent_id = $1 and ${which}`, [agentId]);
    return rows.length;
  };
  expect(await count('true')).toBeGreaterThan(100);
  await seedQuestions(owner, { organizationId, agentId });
  expect(await count('topic_id is null')).toBe(0);
});
