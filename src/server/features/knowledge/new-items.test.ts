import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { untilReady } from '../../../../test/taught-agent.ts';
import { awaitNewItems } from './new-items.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test('what has been read since a search began is told to whoever found nothing, and nothing where nothing was given', async () => {
  const ada = product.as('ada');
  const { id: organizationId } = (await ada.organization.create({ name: 'Acme' })).organization;
  const { id: agentId } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const key = { organizationId, agentId };
  const look = () => awaitNewItems(product.app.deps, key, new AbortController().signal);
  expect(await look()).toBeUndefined();
  const item = { id: agentId, organizationId, type: 'text', text: 'The cellar opens at six.' } as const;
  await ada.knowledge.create(item);
  await untilReady(ada, agentId);
  expect(await look()).toMatchObject({ chunks: 1 });
  await product.app.deps.db.owner.query(`update knowledge set created_at = now() - interval '2 minutes'`);
  expect(await look()).toBeUndefined();
});
