import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KnowledgeProgress } from '../../../contract/knowledge.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import type { Deps } from '../../deps.ts';
import { createAnnouncer } from './announce.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test('of many consecutive changes watchers hear the first at once, few in between, and the last', async () => {
  const ada = product.as('ada');
  const { id: organizationId } = (await ada.organization.create({ name: 'Acme' })).organization;
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const told: KnowledgeProgress[] = [];
  const realtime = {
    ...product.app.deps.realtime,
    toAgentWatchers: (
      _agentId: string,
      _userIds: string[],
      _event: string,
      payload: { knowledgeProgress: KnowledgeProgress },
    ) => told.push(payload.knowledgeProgress),
  } as unknown as Deps['realtime'];
  const deps = { db: product.app.deps.db, realtime };
  const settle = () => createAnnouncer(deps, { organizationId, agentId: id }).settled();
  await settle();
  expect(told).toEqual([{ agentId: id, items: [] }]);
  await Promise.all(Array.from({ length: 200 }, settle));
  expect(told).toHaveLength(1);
  const { knowledge } = await ada.knowledge.create({
    id,
    organizationId,
    type: 'qa',
    description: 'When is it open?',
    text: 'From nine to five.',
  });
  await expect
    .poll(async () => (await ada.knowledge.get({ id, knowledgeId: knowledge.id })).knowledge.progress.state)
    .toBe('ready');
  await settle();
  await expect
    .poll(() => told.at(-1)?.items)
    .toEqual([{ knowledgeId: knowledge.id, state: 'ready', done: 1, failed: 0, total: 1, error: null }]);
  expect(told.length).toBeLessThan(10);
});
