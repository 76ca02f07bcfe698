import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VISITOR_MESSAGES_MAX } from '../../../contract/limits.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { collect, openStream, textOf } from '../../../../test/stream.ts';

let product: Product;
let provider: Provider;
let agentId: string;
let bob: TestClient;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Question one: what is red?'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  bob = product.as('bob');
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Quiz master' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

async function openRoom() {
  const { conversation } = await bob.chat.create({ chatbotId: agentId, kind: 'game' });
  const { link } = await bob.chatLink.create({ id: conversation.id, kind: 'join', audience: 'anybody' });
  return { id: conversation.id, token: link.token };
}

const seenBy = async (client: TestClient, id: string) =>
  (await client.room.listMessages({ id, count: 100 })).messages.map(({ sequence, text, author }) => [
    sequence,
    author?.name ?? null,
    text,
  ]);

test('people join by a link and all see the same messages in the same order, latecomers too', async () => {
  const { id, token } = await openRoom();
  const carol = product.as('carol');
  const dan = product.as('dan', 'guest');
  await expect(carol.room.listMessages({ id })).rejects.toMatchObject({ status: 404 });
  await carol.room.join({ token });
  await carol.room.join({ token });
  await bob.room.say({ id, text: 'Hello all' });
  const asked = await carol.chat.send({ id, text: 'Begin, please.' });
  expect(asked.message.author?.name).toBe('carol');
  await Promise.all(
    [bob, carol].flatMap((client, who) =>
      Array.from({ length: 10 }, (_, index) => client.room.say({ id, text: `${who}.${index}` })),
    ),
  );
  await dan.room.join({ token });
  const [first, second, third] = await Promise.all([bob, carol, dan].map((client) => seenBy(client, id)));
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  expect(first?.slice(0, 3)).toEqual([
    [1, 'bob', 'Hello all'],
    [2, 'carol', 'Begin, please.'],
    [3, null, 'Question one: what is red?'],
  ]);
  expect(first?.map(([sequence]) => sequence)).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
  expect((await dan.room.people({ id })).people.map(({ name }) => name).toSorted()).toEqual([
    'Guest',
    'bob',
    'carol',
  ]);
  expect((await carol.chat.list()).conversations.map((each) => each.id)).toContain(id);
});

test('the host knows who said what', async () => {
  const { id, token } = await openRoom();
  const carol = product.as('carol');
  await carol.room.join({ token });
  await bob.room.say({ id, text: 'I say apples.' });
  await carol.chat.send({ id, text: 'I say cherries.' });
  const said = provider.requests
    .at(-1)
    ?.messages.slice(1)
    .map(({ content }) => content);
  expect(said).toEqual(['bob: I say apples.', 'carol: I say cherries.']);
});

test('everybody in the room is notified over their socket, and nobody else', async () => {
  const { id, token } = await openRoom();
  await product.as('carol').room.join({ token });
  const told: string[] = [];
  const sockets = await Promise.all(
    ['bob', 'carol', 'eve'].map(async (name) => {
      const { idToken } = await product.sessionOf(name);
      const socket = io(product.url, { transports: ['websocket'], auth: { idToken }, reconnection: false });
      await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
      socket.on('conversation.updated', ({ conversationId }: { conversationId: string }) => {
        if (conversationId === id) told.push(name);
      });
      return socket;
    }),
  );
  await bob.room.say({ id, text: 'Anybody there?' });
  // The news that somebody joined may arrive late.
  await expect.poll(() => [...new Set(told)].toSorted()).toEqual(['bob', 'carol']);
  for (const socket of sockets) socket.disconnect();
});

test('people who left or never joined can neither read nor write; the opener cannot leave', async () => {
  const { id, token } = await openRoom();
  const carol = product.as('carol');
  await carol.room.join({ token });
  await carol.room.leave({ id });
  for (const stranger of [carol, product.as('eve')]) {
    await expect(stranger.room.say({ id, text: 'Hi' })).rejects.toMatchObject({ status: 404 });
    await expect(stranger.chat.send({ id, text: 'Hi' })).rejects.toMatchObject({ status: 404 });
    await expect(stranger.chat.listMessages({ id })).rejects.toMatchObject({ status: 404 });
  }
  await expect(bob.room.leave({ id })).rejects.toMatchObject({ status: 409 });
  expect((await carol.room.join({ token })).conversation.own).toBe(false);
  expect((await carol.chat.list({})).conversations.find((each) => each.id === id)?.own).toBe(false);
  expect((await bob.chat.get({ id })).conversation.own).toBe(true);
  await expect(carol.history.remove({ id })).rejects.toMatchObject({ status: 404 });
  await carol.room.leave({ id });
  await expect(carol.chatLink.create({ id, audience: 'anybody' })).rejects.toMatchObject({ status: 404 });
  const { link } = await bob.chatLink.create({ id, kind: 'read', audience: 'anybody' });
  await expect(carol.room.join({ token: link.token })).rejects.toMatchObject({ status: 404 });
});

test('a person who leaves during the host’s answer hears no more of it, and the others hear all of it', async () => {
  const { id, token } = await openRoom();
  const carol = product.as('carol');
  await carol.room.join({ token });
  const { script } = provider;
  provider.script = { pieces: Array.from({ length: 30 }, (_, index) => `${index} `), betweenPiecesMs: 100 };
  const asked = await openStream(product, 'carol', `/v1/chat/${id}/message`, { body: { text: 'Begin.' } });
  const hers = collect(asked.events);
  const heard = await openStream(product, 'bob', `/v1/chat/${id}/stream`);
  const his = collect(heard.events);
  await carol.room.leave({ id });
  expect(textOf(await hers)).not.toContain('29');
  expect(textOf(await his)).toContain('29');
  provider.script = script;
});

test('a guest has the usual message limit in a room, and an empty message is refused', async () => {
  const { id, token } = await openRoom();
  const eve = product.as('eve', 'guest');
  await eve.room.join({ token });
  await expect(eve.room.say({ id, text: ' \n ' })).rejects.toMatchObject({ status: 400 });
  for (let said = 0; said < VISITOR_MESSAGES_MAX; said += 1) await eve.room.say({ id, text: 'Hello' });
  await expect(eve.room.say({ id, text: 'Hello' })).rejects.toMatchObject({ status: 429 });
  expect(await seenBy(bob, id)).toHaveLength(VISITOR_MESSAGES_MAX);
});

test('a room has no branches, and only its opener can rename or delete it', async () => {
  const { id, token } = await openRoom();
  const carol = product.as('carol');
  await carol.room.join({ token });
  const { message, answer } = await carol.chat.send({ id, text: 'Begin.' });
  await expect(carol.chat.regenerate({ id, messageId: answer.id })).rejects.toMatchObject({ status: 404 });
  await expect(carol.chat.edit({ id, messageId: message.id, text: 'Else' })).rejects.toMatchObject({
    status: 404,
  });
  await expect(carol.history.update({ id, title: 'Mine' })).rejects.toMatchObject({ status: 404 });
  await expect(carol.history.remove({ id })).rejects.toMatchObject({ status: 404 });
  await bob.history.update({ id, title: 'The quiz' });
  expect((await carol.chat.get({ id })).conversation.title).toBe('The quiz');
});
