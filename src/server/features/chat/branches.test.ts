import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { collect, openStream, textOf } from '../../../../test/stream.ts';

let product: Product;
let provider: Provider;
let agentId: string;
let bob: TestClient;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['First.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  const ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  agentId = (await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' })).chatbot.id;
  bob = product.as('bob', 'guest');
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

async function begin(): Promise<string> {
  return (await bob.chat.create({ chatbotId: agentId })).conversation.id;
}

async function say(id: string, text: string, answer: string) {
  provider.script = { pieces: [answer] };
  return bob.chat.send({ id, text });
}

const texts = async (id: string) => (await bob.chat.listMessages({ id })).messages.map(({ text }) => text);

test('another answer stands beside the first, and one can switch between them', async () => {
  const id = await begin();
  const { message, answer: first } = await say(id, 'One?', 'First.');
  provider.script = { pieces: ['Second.'] };
  const { answer: second } = await bob.chat.regenerate({ id, messageId: first.id });
  expect(second).toMatchObject({ text: 'Second.', parentId: message.id, siblings: [first.id, second.id] });
  const { messages } = await bob.chat.listMessages({ id });
  expect(messages.map(({ text, siblings }) => [text, siblings])).toEqual([
    ['One?', [message.id]],
    ['Second.', [first.id, second.id]],
  ]);
  await bob.chat.choose({ id, messageId: first.id });
  expect(await texts(id)).toEqual(['One?', 'First.']);
  await say(id, 'More?', 'More of the first.');
  await bob.chat.choose({ id, messageId: second.id });
  expect(await texts(id)).toEqual(['One?', 'Second.']);
  await bob.chat.choose({ id, messageId: first.id });
  expect(await texts(id)).toEqual(['One?', 'First.', 'More?', 'More of the first.']);
});

test('a message’s siblings belong to its own conversation, even where another one has the same text', async () => {
  const other = await begin();
  await say(other, 'One?', 'First.');
  const id = await begin();
  const { message, answer } = await say(id, 'One?', 'First.');
  const again = await bob.chat.regenerate({ id, messageId: answer.id });
  expect(again.message.siblings).toEqual([message.id]);
  expect(again.answer.siblings).toEqual([answer.id, again.answer.id]);
  const edited = await bob.chat.edit({ id, messageId: message.id, text: 'Else?' });
  expect(edited.message.siblings).toEqual([message.id, edited.message.id]);
  expect(edited.answer.siblings).toEqual([edited.answer.id]);
});

test('an edited message begins a branch, and the model sees only that branch', async () => {
  const id = await begin();
  await say(id, 'One?', 'First.');
  const { message: old } = await say(id, 'Two?', 'Second.');
  await say(id, 'Three?', 'Third.');
  provider.script = { pieces: ['Another second.'] };
  const stream = await openStream(product, 'bob', `/v1/chat/${id}/message/${old.id}/edit`, {
    body: { text: 'Two, or what?' },
    standing: 'guest',
  });
  expect(textOf(await collect(stream.events))).toBe('Another second.');
  expect(await texts(id)).toEqual(['One?', 'First.', 'Two, or what?', 'Another second.']);
  const asked = provider.requests
    .at(-1)
    ?.messages.slice(1)
    .map(({ content }) => content);
  expect(asked).toEqual(['One?', 'First.', 'Two, or what?']);
  await bob.chat.choose({ id, messageId: old.id });
  expect(await texts(id)).toEqual(['One?', 'First.', 'Two?', 'Second.', 'Three?', 'Third.']);
});

test('the first message can be edited as well', async () => {
  const id = await begin();
  const { message } = await say(id, 'One?', 'First.');
  provider.script = { pieces: ['Second.'] };
  const edited = await bob.chat.edit({ id, messageId: message.id, text: 'Two?' });
  expect(await texts(id)).toEqual(['Two?', 'Second.']);
  const [first] = (await bob.chat.listMessages({ id })).messages;
  expect(first?.siblings).toEqual([message.id, edited.message.id]);
});

test('nothing is edited, selected or regenerated while an answer is in progress, nor on another branch', async () => {
  const id = await begin();
  const { message, answer } = await say(id, 'One?', 'First.');
  provider.script = { pieces: ['Slow.'], firstPieceAfterMs: 3000 };
  const under = bob.chat.send({ id, text: 'Two?' });
  await expect.poll(async () => (await bob.chat.attach({ id })).answer?.role).toBe('assistant');
  const busy = { status: 409, code: 'chat/busy' };
  await expect(bob.chat.edit({ id, messageId: message.id, text: 'Else?' })).rejects.toMatchObject(busy);
  await expect(bob.chat.regenerate({ id, messageId: answer.id })).rejects.toMatchObject(busy);
  await expect(bob.chat.choose({ id, messageId: answer.id })).rejects.toMatchObject(busy);
  await expect(bob.chat.retry({ id })).rejects.toMatchObject(busy);
  await under;
  const whole = { status: 409, code: 'chat/nothing-to-answer' };
  await expect(bob.chat.retry({ id })).rejects.toMatchObject(whole);
  provider.script = { pieces: ['Another.'] };
  const again = await bob.chat.regenerate({ id, messageId: answer.id });
  expect(again.answer.text).toBe('Another.');
  const gone = bob.chat.edit({ id, messageId: again.answer.id, text: 'Me?' });
  await expect(gone).rejects.toMatchObject({ status: 404 });
  await expect(bob.chat.regenerate({ id, messageId: answer.id })).rejects.toMatchObject({ status: 404 });
});
