import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { collect, openStream, textOf } from '../../../../test/stream.ts';

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

async function agent(customInstructions = 'Say one.') {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  const of = { id: chatbot.id, organizationId };
  await ada.chatbot.update({ ...of, customInstructions });
  return of;
}

/** The instructions the model was given for an answer to this person. */
async function toldTo(person: TestClient, id: string, version?: 'draft' | number): Promise<string> {
  const { conversation } = await person.chat.create({ chatbotId: id, ...(version ? { version } : {}) });
  await person.chat.send({ id: conversation.id, text: 'Hello?' });
  return told();
}

const told = () => /Say \w+\./.exec(JSON.stringify(provider.requests.at(-1)))?.[0] ?? '';

test('every save is live until something is published; afterwards a save is a draft until published', async () => {
  const of = await agent('Say one.');
  const bob = product.as('bob', 'guest');
  expect(await toldTo(bob, of.id)).toBe('Say one.');
  const { version } = await ada.version.publish({ ...of, number: 2, note: ' The first. ' });
  expect(version).toMatchObject({
    number: 2,
    note: 'The first.',
    isLive: true,
    isDraft: true,
    publisher: 'ada',
  });
  const found = async (search: string) =>
    (await ada.version.list({ ...of, search })).versions.map(({ number }) => number);
  expect([await found('FIRST ada'), await found('second')]).toEqual([[2], []]);
  const { chatbot } = await ada.chatbot.update({
    ...of,
    customInstructions: 'Say two.',
    welcomeMessage: 'Hi 2',
  });
  expect(chatbot).toMatchObject({ version: 3, liveVersion: 2, customInstructions: 'Say two.' });
  expect((await ada.chatbot.get(of)).chatbot.customInstructions).toBe('Say two.');
  expect((await ada.chatbot.list({ organizationId })).chatbots.find(({ id }) => id === of.id)).toEqual(
    chatbot,
  );
  expect(await toldTo(bob, of.id)).toBe('Say one.');
  expect((await bob.chatbot.getPublic({ idOrHandle: of.id })).agent.welcomeMessage).toBe('');
  expect(await toldTo(ada, of.id, 'draft')).toBe('Say two.');
  await ada.version.publish({ ...of, number: 3 });
  expect(await toldTo(bob, of.id)).toBe('Say two.');
  expect((await bob.chatbot.getPublic({ idOrHandle: of.id })).agent.welcomeMessage).toBe('Hi 2');
});

test('name, photo and visibility take effect at once and create no version', async () => {
  const of = await agent();
  await ada.version.publish({ ...of, number: 2 });
  const { chatbot } = await ada.chatbot.update({ ...of, name: 'Renamed', isPublic: false });
  expect(chatbot).toMatchObject({ name: 'Renamed', isPublic: false, version: 2 });
  expect((await ada.version.list(of)).versions).toHaveLength(2);
  const again = await ada.chatbot.update({ ...of, customInstructions: 'Say one.' });
  expect(again.chatbot.version).toBe(2);
});

test('a save over a newer draft is refused', async () => {
  const of = await agent();
  const save = ada.chatbot.update({ ...of, version: 1, customInstructions: 'Say three.' });
  await expect(save).rejects.toMatchObject({ status: 409, code: 'resource/conflict' });
});

test('a version never changes, and can be read, annotated, restored and published again', async () => {
  const of = await agent('Say one.');
  await ada.chatbot.update({ ...of, customInstructions: 'Say two.', conversationStarters: ['A?'] });
  const { version: second } = await ada.version.get({ ...of, number: 2 });
  expect(second.settings).toMatchObject({ customInstructions: 'Say one.', conversationStarters: [] });
  await ada.version.annotate({ ...of, number: 2, note: 'Good' });
  const { chatbot } = await ada.version.restore({ ...of, number: 2 });
  expect(chatbot).toMatchObject({ version: 4, customInstructions: 'Say one.', conversationStarters: [] });
  const { versions } = await ada.version.list(of);
  expect(versions.map(({ number, note, author }) => [number, note, author])).toEqual([
    [4, 'Restored from version 2.', 'ada'],
    [3, '', 'ada'],
    [2, 'Good', 'ada'],
    [1, '', 'ada'],
  ]);
  expect((await ada.version.get({ ...of, number: 2 })).version.settings).toEqual(second.settings);
  await ada.version.publish({ ...of, number: 3 });
  expect(await toldTo(product.as('bob', 'guest'), of.id)).toBe('Say two.');
  expect((await ada.chatbot.get(of)).chatbot).toMatchObject({ version: 4, liveVersion: 3 });
  const page = await ada.version.list({ ...of, count: 3 });
  const rest = await ada.version.list({ ...of, cursor: page.nextCursor ?? '' });
  expect([...page.versions, ...rest.versions].map(({ number }) => number)).toEqual([4, 3, 2, 1]);
});

test.each([
  ['', 'Hours', 'Hours'],
  [', the beginning of its name where that is long', 'ab '.repeat(100), `${'ab '.repeat(39)}ab…`],
])('a version records what the agent knew%s', async (_how, description, title) => {
  const of = await agent();
  const item = { ...of, type: 'text' as const, description, text: 'Open from nine to five.' };
  const { knowledge } = await ada.knowledge.create(item);
  const at = { id: of.id, knowledgeId: knowledge.id };
  await expect
    .poll(async () => (await ada.knowledge.get(at)).knowledge.progress.state, { timeout: 60_000 })
    .toBe('ready');
  await ada.version.publish({ ...of, number: 2 });
  expect((await ada.version.get({ ...of, number: 2 })).version.knowledge).toEqual([
    { id: knowledge.id, title, revision: 1 },
  ]);
  expect((await ada.version.get({ ...of, number: 1 })).version.knowledge).toEqual([]);
});

test('only members who see the agent can try its versions, in unlisted conversations', async () => {
  const of = await agent('Say one.');
  await ada.version.publish({ ...of, number: 2 });
  await ada.chatbot.update({ ...of, customInstructions: 'Say two.' });
  const bob = product.as('bob', 'guest');
  for (const version of ['draft', 2, 3] as const)
    await expect(bob.chat.create({ chatbotId: of.id, version })).rejects.toMatchObject({ status: 404 });
  await expect(ada.chat.create({ chatbotId: of.id, version: 99 })).rejects.toMatchObject({ status: 404 });
  const { conversation } = await ada.chat.create({ chatbotId: of.id, version: 2 });
  expect(conversation).toMatchObject({ version: 2, temporary: true });
  expect((await ada.chat.list()).conversations.map(({ id }) => id)).not.toContain(conversation.id);

  const eve = await join(product, ada, 'eve', { organizationId, role: 'viewer' });
  const { conversation: hers } = await eve.client.chat.create({ chatbotId: of.id, version: 'draft' });
  await eve.client.chat.send({ id: hers.id, text: 'Hello?' });
  expect(told()).toBe('Say two.');
  await ada.member.remove({ id: eve.memberId });
  await expect(eve.client.chat.send({ id: hers.id, text: 'Still?' })).rejects.toMatchObject({ status: 404 });
});

test('the receipt of an answer names its version', async () => {
  const of = await agent('Say one.');
  await ada.version.publish({ ...of, number: 2 });
  await ada.chatbot.update({ ...of, customInstructions: 'Say two.' });
  for (const [version, expected] of [[undefined, 2] as const, ['draft', 3] as const, [1, 1] as const]) {
    const { conversation } = await ada.chat.create({ chatbotId: of.id, ...(version ? { version } : {}) });
    const { answer } = await ada.chat.send({ id: conversation.id, text: 'Hello?' });
    const { receipt } = await ada.answer.receipt({ id: conversation.id, messageId: answer.id });
    expect(receipt.agentVersion).toBe(expected);
  }
});

test('publishing during fifty conversations changes no answer in progress and every later one', async () => {
  const of = await agent('Say one.');
  await ada.version.publish({ ...of, number: 2 });
  await ada.chatbot.update({ ...of, customInstructions: 'Say two.' });
  provider.script = { pieces: ['Wait ', 'for ', 'it.'], betweenPiecesMs: 700 };
  const before = provider.requests.length;
  const begun = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const name = `person${index % 10}`;
      return { name, id: (await product.as(name).chat.create({ chatbotId: of.id })).conversation.id };
    }),
  );
  const streams = await Promise.all(
    begun.map(({ name, id }) =>
      openStream(product, name, `/v1/chat/${id}/message`, { body: { text: 'Hello?' } }),
    ),
  );
  await expect.poll(() => provider.requests.length - before, { timeout: 60_000 }).toBe(50);
  await ada.version.publish({ ...of, number: 3 });
  const answers = await Promise.all(streams.map(({ events }) => collect(events)));
  expect(answers.map(textOf)).toEqual(begun.map(() => 'Wait for it.'));
  const toldBefore = provider.requests.slice(before).map((request) => JSON.stringify(request));
  expect(toldBefore.filter((request) => request.includes('Say one.'))).toHaveLength(50);
  provider.script = { pieces: ['Yes.'] };
  const after = provider.requests.length;
  await Promise.all(begun.map(({ name, id }) => product.as(name).chat.send({ id, text: 'And now?' })));
  const toldAfter = provider.requests.slice(after).map((request) => JSON.stringify(request));
  expect(toldAfter.filter((request) => request.includes('Say two.'))).toHaveLength(50);
  expect(toldAfter.some((request) => request.includes('Say one.'))).toBe(false);
});
