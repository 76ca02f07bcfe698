import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { untilReady } from '../../../../test/taught-agent.ts';
import { readStatisticsRow } from './index-store.ts';
import { awaitNewItems } from './new-items.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test('what is read while one searches, or has been read since, is told to whoever found nothing, and nothing where it is the same', async () => {
  const ada = product.as('ada');
  const { id: organizationId } = (await ada.organization.create({ name: 'Acme' })).organization;
  const { id: agentId } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const key = { organizationId, agentId };
  const look = (version: string) =>
    awaitNewItems(product.app.deps, key, { version, signal: new AbortController().signal });
  const searched = await readStatisticsRow((statement) => product.app.deps.db.once(key, statement), key);
  expect(await look(searched.version)).toBeUndefined();
  const item = { id: agentId, organizationId, type: 'text', text: 'The cellar opens at six.' } as const;
  await ada.knowledge.create(item);
  const now = await look(searched.version);
  expect(now).toMatchObject({ chunks: 1 });
  await untilReady(ada, agentId);
  expect(await look(searched.version)).toEqual(now);
  expect(await look(now?.version ?? '')).toBeUndefined();
});
