import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { untilReady } from '../../../../test/taught-agent.ts';
import { readStatisticsRow } from './index/index-store.ts';
import { awaitNewItems } from './new-items.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test('a search that found nothing learns of items being read or since read, but only if something changed', async () => {
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

test.each([
  ['text', 30_000],
  ['website', 10_000],
])('items that a busy machine has not read yet are waited for: a %s for %i ms', async (type, most) => {
  const ada = product.as('ada');
  const { id: organizationId } = (await ada.organization.create({ name: 'Acme' })).organization;
  const { id: agentId } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const text = 'The attic opens at nine.';
  const { knowledge } = await ada.knowledge.create({ id: agentId, organizationId, type: 'text', text });
  await untilReady(ada, agentId);
  // Its state before anything has started to read it.
  const { deps } = product.app;
  await deps.db.owner.query(`update knowledge set state = 'queued', type = $2 where id = $1`, [
    knowledge.id,
    type,
  ]);
  const now = performance.now.bind(performance);
  let passed = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  onTestFinished(() => spy.mockRestore());
  let isOver = false;
  const asked = { version: 'another', signal: new AbortController().signal };
  const waiting = awaitNewItems(deps, { organizationId, agentId }, asked).then(() => (isOver = true));
  await delay(300);
  passed = most - 2000;
  await delay(500);
  expect(isOver).toBe(false);
  passed = most;
  await waiting;
});
