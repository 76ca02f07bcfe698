import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';

const sheet = 'Dogs are welcome in the garden rooms for 15 francs a night.';

let provider: Provider;
/** Without a language model, and with one. */
let plain: Product;
let modelled: Product;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Hello to you.'] });
  plain = await startProduct();
  modelled = await startProduct({ providers: { openai: provider.openai } });
});
afterAll(async () => {
  await Promise.all([plain.close(), modelled.close()]);
  await provider.close();
});

async function makeAgent(product: Product, settings: { language?: string } = {}) {
  const ada = product.as('ada');
  const { id: organizationId } = (await ada.organization.create({ name: 'Hotel' })).organization;
  const { id } = await makeTaughtAgent(ada, organizationId, sheet);
  await ada.chatbot.update({ id, organizationId, enableKnowledgeBaseMode: true, ...settings });
  return { ada, id };
}

async function ask({ ada, id }: { ada: TestClient; id: string }, text: string) {
  const { conversation } = await ada.chat.create({ chatbotId: id });
  const { answer } = await ada.chat.send({ id: conversation.id, text });
  const { receipt } = await ada.answer.receipt({ id: conversation.id, messageId: answer?.id ?? '' });
  return { text: answer?.text, credits: receipt.credits };
}

test('an agent without a language model answers greetings and thanks in kind, free of charge', async () => {
  const agent = await makeAgent(plain);
  expect(await ask(agent, 'Hello!')).toEqual({ text: 'Hello! How can I help?', credits: 0 });
  expect(await ask(agent, 'Vielen Dank 🙏')).toEqual({ text: 'Gern geschehen!', credits: 0 });
  expect((await ask(agent, 'Hello, may I bring my dog?')).text).toContain('15 francs');
});

test('in its own language, if it has one', async () => {
  const agent = await makeAgent(plain, { language: 'fr' });
  expect((await ask(agent, 'Hello!')).text).toBe('Bonjour ! Comment puis-je aider ?');
});

test.each(['Hello!', 'Danke!', 'How are you?', 'What can you do?'])(
  'a model answers %s although no passage does',
  async (text) => {
    const agent = await makeAgent(modelled);
    provider.requests.length = 0;
    expect((await ask(agent, text)).text).toBe('Hello to you.');
    expect(provider.requests).toHaveLength(1);
  },
);
