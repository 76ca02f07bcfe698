import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Expectation } from '../../../contract/test-set.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';

const answer =
  'It’s open from **nine [1] to five** on [all days](https://shop.example/days), 24\u2011hour `help` too.';

let product: Product;
let provider: Provider;
beforeAll(async () => {
  provider = await startProvider({ pieces: [answer] });
  product = await startProduct({ providers: { openai: provider.openai } });
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

test('words are found in an answer as it is read, and as it was written', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const expected = (kind: 'contains' | 'not-contains', texts: string[]): Expectation[] =>
    texts.map((text) => ({ kind, text }));
  const read = ["it's open", 'nine to five on all days, 24-hour help'];
  const written = ['**nine', 'https://shop.example/days'];
  const cases = [
    { question: 'When?', expectations: expected('contains', [...read, ...written]) },
    { question: 'When exactly?', expectations: expected('not-contains', read) },
  ];
  const { testSet } = await ada.testSet.create({ id, organizationId, name: 'Words', cases });
  const set = { id, organizationId, testSetId: testSet.id };
  const runId = (await ada.testSet.run(set)).run.id;
  const result = () => ada.testSet.getRun({ ...set, runId });
  await expect.poll(async () => (await result()).run.state, { timeout: 60_000 }).toBe('done');
  const failed = (await result()).results.map(({ failures }) => failures.map(({ detail }) => detail));
  expect(failed).toEqual([[], read]);
});
