import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

let product: Product;
let organizationId: string;
let agentId: string;
let bob: TestClient;

beforeAll(async () => {
  product = await startProduct();
  bob = product.as('bob', 'guest');
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const text =
    '# Opening hours\n\nThe shop is open from nine to five.\n\n# Returns and refunds\n\nThe shop takes things back.';
  await ada.knowledge.create({ id: agentId, organizationId, type: 'text', description: 'Shop', text });
  await vi.waitUntil(
    async () => (await ada.knowledge.list({ id: agentId })).allKnowledge[0]?.progress.state === 'ready',
    60_000,
  );
});
afterAll(() => product.close());

async function ask(text: string) {
  const id = (await bob.chat.create({ chatbotId: agentId })).conversation.id;
  return { id, ...(await bob.chat.send({ id, text })) };
}

test('an answer is rated, rated differently, and its rating withdrawn', async () => {
  const { id, answer, message } = await ask('When is the shop open?');
  const rated = async () => (await bob.chat.listMessages({ id })).messages[1]?.rating;
  await bob.answer.rate({
    id,
    messageId: answer.id,
    rating: 'down',
    reason: 'incomplete',
    comment: 'And Sunday?',
  });
  expect(await rated()).toBe('down');
  await bob.answer.rate({ id, messageId: answer.id, rating: 'up' });
  expect(await rated()).toBe('up');
  const { rows } = await product.app.deps.db.owner.query(
    'select rating, reason, comment from message_feedback',
  );
  expect(rows).toEqual([{ rating: 'up', reason: null, comment: '' }]);
  await bob.answer.rate({ id, messageId: answer.id, rating: null });
  expect(await rated()).toBeNull();
  const own = bob.answer.rate({ id, messageId: message.id, rating: 'up' });
  await expect(own).rejects.toMatchObject({ status: 404 });
  const foreign = product.as('eve', 'guest').answer.rate({ id, messageId: answer.id, rating: 'up' });
  await expect(foreign).rejects.toMatchObject({ status: 404 });
});

test('members who see the agent see how an answer was made; end users do not', async () => {
  const { id, answer } = await ask('When is the shop open?');
  const { client } = await join(product, product.as('ada'), 'vic', { organizationId, role: 'viewer' });
  const { receipt } = await client.answer.receipt({ id, messageId: answer.id });
  expect(receipt).toMatchObject({
    model: 'parley/extractive',
    agentVersion: 1,
    query: 'When is the shop open?',
    failedModels: [],
    credits: 1,
  });
  expect(receipt.totalMs).toBeGreaterThan(0);
  expect(receipt.passages[0]).toMatchObject({ title: 'Shop', cited: true });
  expect(receipt.passages[0]?.text).toContain('nine to five');
  for (const stranger of [bob, product.as('eve')])
    await expect(stranger.answer.receipt({ id, messageId: answer.id })).rejects.toMatchObject({
      status: stranger === bob ? 403 : 404,
    });
});

test('suggested questions come from what else is known and never repeat the question', async () => {
  await product.as('ada').chatbot.update({
    id: agentId,
    organizationId,
    conversationStarters: ['When is the shop open?', 'Who are you?'],
  });
  const { answer } = await ask('When is the shop open?');
  expect(answer.suggestions).toContain('Who are you?');
  expect(answer.suggestions).not.toContain('When is the shop open?');
});

test('the built-in model quotes an attached document by its name', async () => {
  const id = (await bob.chat.create({ chatbotId: agentId })).conversation.id;
  const media = new File(['Lunch is at noon. The code of the printer is 4711.'], 'notes.txt', {
    type: 'text/plain',
  });
  const { attachment } = await bob.attachment.add({ id, media });
  const { answer } = await bob.chat.send({
    id,
    text: 'What is the printer code?',
    attachments: [attachment.id],
  });
  expect(answer).toMatchObject({ state: 'complete' });
  expect(answer.text).toContain('The code of the printer is 4711. (notes.txt)');
});
