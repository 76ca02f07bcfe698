import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { eventually } from '../../../../test/payments.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { rowsWith } from '../../../../test/traces.ts';
import { readQuestions } from '../improvement/read-questions.ts';
import { endDeleted, endRetained } from './retain.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

const query = (sql: string, values: unknown[]) => product.app.deps.db.owner.query(sql, values);

/** A conversation whose last message is this old. */
async function talk(client: TestClient, chatbotId: string, daysAgo: number): Promise<string> {
  const { id } = (await client.chat.create({ chatbotId })).conversation;
  const media = new File(['x'], 'x.txt', { type: 'text/plain' });
  await client.attachment.add({ id, media });
  await client.chat.send({ id, text: 'Hello?' });
  await query('update conversation set updated_at = now() - make_interval(days => $2) where id = $1', [
    id,
    daysAgo,
  ]);
  return id;
}

async function makeAgent(): Promise<string> {
  return (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
}

test('a preview counts what would go, and exactly that goes; what others keep stays', async () => {
  const [id, other] = [await makeAgent(), await makeAgent()];
  const [ann, ben] = [product.as('ann', 'guest'), product.as('ben', 'guest')];
  const old = [await talk(ann, id, 40), await talk(ann, id, 31), await talk(ben, id, 400)];
  const recent = await talk(ann, id, 29);
  const elsewhere = await talk(ben, other, 400);
  expect(await owner.privacy.getRetention({ id })).toEqual({ days: null, preview: null });
  await endRetained(product.app.deps);
  const { preview } = await owner.privacy.getRetention({ id, days: 30 });
  expect(preview).toMatchObject({ conversations: 3, messages: 6, files: 3, people: 1 });
  expect(Date.now() - Date.parse(preview?.oldestKeptAt ?? '')).toBeGreaterThan(28.9 * 86_400_000);

  expect(await owner.privacy.setRetention({ id, days: 30 })).toEqual({ days: 30 });
  expect(await endRetained(product.app.deps)).toBe(3);
  for (const gone of old) await expect(ann.chat.get({ id: gone })).rejects.toMatchObject({ status: 404 });
  await ann.chat.get({ id: recent });
  await ben.chat.get({ id: elsewhere });
  expect((await owner.privacy.getRetention({ id, days: 30 })).preview).toMatchObject({
    conversations: 0,
    people: 0,
  });
  const { entries } = await owner.audit.list({ organizationId, action: 'privacy.setRetention' });
  expect(entries).toMatchObject([{ before: { days: null }, after: { days: 30 } }]);
});

test('concurrent sweeps share the work in batches, and nothing is left', async () => {
  const id = await makeAgent();
  const first = await talk(product.as('cara', 'guest'), id, 10);
  await query(
    `insert into conversation (id, organization_id, agent_id, user_id, title, updated_at)
       select 'cnv_many_' || n, organization_id, agent_id, user_id, '', now() - interval '10 days'
         from conversation, generate_series(1, 450) n where id = $1`,
    [first],
  );
  await owner.privacy.setRetention({ id, days: 7 });
  const counts = await Promise.all([1, 2, 3].map(() => endRetained(product.app.deps)));
  const last = await endRetained(product.app.deps);
  expect([...counts, last].reduce((sum, count) => sum + count)).toBe(451);
});

test('questions from conversations that a person deleted no longer appear in topic names', async () => {
  const id = await makeAgent();
  const asker = product.as('dora', 'guest');
  const ask = async (client: TestClient, texts: string[]) => {
    for (const text of texts) await client.chat.create({ chatbotId: id, text });
  };
  await ask(asker, [
    'How do I polish a samovar?',
    'May I polish my samovar?',
    'Who can polish a samovar?',
    'Where is the quindlevort glider?',
    'Who has a quindlevort glider?',
  ]);
  await ask(product.as('emil', 'guest'), ['Where is the glider?', 'Who has a glider?']);
  const names = async () =>
    (await owner.improvement.listTopics({ id })).topics.map(({ name }) => name.toLowerCase()).join();
  await eventually(async () => {
    await query('update question_reading set is_due = true, grouped_at = null', []);
    await readQuestions(product.app.deps);
    const said = await names();
    return said.includes('quindlevort') && said.includes('samovar');
  });
  for (const { id: gone } of (await asker.chat.list({ count: 100 })).conversations)
    await asker.history.remove({ id: gone });
  await endDeleted(product.app.deps);
  // They can still be restored.
  expect(await names()).toContain('samovar');
  await query(
    `update conversation set deleted_at = now() - interval '61 minutes' where deleted_at is not null`,
    [],
  );
  expect(await endDeleted(product.app.deps)).toBe(5);
  expect(await rowsWith(product.app.deps.db.owner, ['samovar', 'quindlevort'])).toEqual([]);
  expect(await names()).toContain('glider');
});

test('anybody who may change the agent sets it, and anybody who sees the agent sees it', async () => {
  const id = await makeAgent();
  const viewer = await join(product, owner, 'viewer', { organizationId, role: 'viewer' });
  await viewer.client.privacy.getRetention({ id, days: 1 });
  await expect(viewer.client.privacy.setRetention({ id, days: 1 })).rejects.toMatchObject({ status: 403 });
  await expect(owner.privacy.setRetention({ id, days: 0 })).rejects.toMatchObject({ status: 400 });
});
