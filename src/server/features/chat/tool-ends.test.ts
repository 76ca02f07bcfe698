import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChatStreamEvent, Message } from '../../../contract/chat.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider, type ProviderRequest } from '../../../../test/stand-ins/provider.ts';
import { startOpenApiService, type OpenApiService } from '../../../../test/stand-ins/openapi-service.ts';
import { collect, openStream } from '../../../../test/stream.ts';

/** Calls of answers that ended, resumed or are reread, and who can read what about them. */

let product: Product;
let provider: Provider;
let service: OpenApiService;
let ada: TestClient;
let bob: TestClient;
let agentId: string;
let toolId: string;

beforeAll(async () => {
  service = await startOpenApiService();
  provider = await startProvider({ pieces: ['Done.'] });
  product = await startProduct({
    ssrfAllowedHosts: [service.host],
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  bob = product.as('bob');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const { id } = (await ada.tool.create({ organizationId, agentId, name: 'Shop' })).tool;
  await ada.tool.update({ id, schema: { url: `${service.url}/openapi.json` } });
  toolId = id;
  const names = ['listOrders', 'createOrder', 'cancelOrder'];
  await ada.tool.update({ id, operations: names.map((name) => ({ id: name, enabled: true })) });
});
beforeEach(() => {
  service.requests.length = 0;
  service.answer = undefined;
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await service.close();
});

/** The model makes these calls in one step, and then writes text. */
function calling(...calls: { name: string; arguments: unknown }[]): void {
  provider.script = {
    pieces: [],
    of: ({ messages }: ProviderRequest) => {
      const last = messages.findLastIndex(({ role }) => role === 'user');
      const isDone = messages.slice(last).some(({ role }) => role === 'assistant');
      return isDone ? { pieces: ['All done.'] } : { pieces: [], calls };
    },
  };
}
const order = { name: 'createOrder', arguments: { body: { item: 'Lamp', count: 2 } } };
const cancel = { name: 'cancelOrder', arguments: { id: '7' } };
const list = { name: 'listOrders', arguments: { state: 'open' } };

const reached = () => service.requests.map(({ method, url }) => `${method} ${url}`);
const lastOf = async (id: string) => (await bob.chat.listMessages({ id })).messages.at(-1);
const messagesOf = (events: ChatStreamEvent[]): Message[] =>
  events.flatMap((event) => (event.type === 'data-message' ? [event.data] : []));

async function begin(...calls: { name: string; arguments: unknown }[]): Promise<string> {
  calling(...calls);
  return (await bob.chat.create({ chatbotId: agentId })).conversation.id;
}

test('a call allowed but not begun before a stop is not made, and can be made later', async () => {
  const id = await begin(order, cancel);
  const { answer: waits } = await bob.chat.send({ id, text: 'Order, and cancel 7.' });
  const [first = '', second = ''] = waits.toolCalls.map((call) => call.id);
  const say = { id, messageId: waits.id, decision: 'allow' as const };
  await bob.chat.decideToolCall({ ...say, callId: first });
  service.answer = () => undefined;
  const path = `/v1/chat/${id}/message/${waits.id}/tool-call/${second}`;
  const stream = await openStream(product, 'bob', path, { body: { decision: 'allow' } });
  for await (const event of stream.events)
    if (event.type === 'tool-input-available') await bob.chat.stop({ id });
  expect(reached()).toEqual(['POST /orders']);
  expect((await lastOf(id))?.toolCalls.map(({ state }) => state)).toEqual(['failed', 'refused']);
  service.answer = undefined;
  calling(cancel);
  const { answer: again } = await bob.chat.send({ id, text: 'Cancel 7 then.' });
  const callId = again.toolCalls[0]?.id ?? '';
  await bob.chat.decideToolCall({ id, messageId: again.id, callId, decision: 'allow' });
  expect(reached()).toHaveLength(2);
});

test('no call is waiting or running in an answer that has ended', async () => {
  const id = await begin(cancel, list);
  service.answer = () => undefined;
  const stream = await openStream(product, 'bob', `/v1/chat/${id}/message`, { body: { text: 'Go.' } });
  const events: ChatStreamEvent[] = [];
  const begun = () => events.filter(({ type }) => type === 'tool-input-available').length;
  for await (const event of stream.events) {
    events.push(event);
    if (event.type === 'tool-input-available' && begun() === 2) await bob.chat.stop({ id });
  }
  const stopped = messagesOf(events).at(-1);
  expect(stopped).toMatchObject({ state: 'stopped', toolCalls: [{ state: 'denied', values: [] }, {}] });
  expect(await lastOf(id)).toEqual(stopped);
  // The state after the process has died.
  const { owner } = product.app.deps.db;
  const messageId = stopped?.id ?? '';
  await owner.query(`update tool_call set state = 'running' where id = $1`, [stopped?.toolCalls[1]?.id]);
  await owner.query(`update message set state = 'failed' where id = $1`, [messageId]);
  expect((await lastOf(id))?.toolCalls.map(({ state }) => state)).toEqual(['denied', 'failed']);
});

test('a message sent again under its key shows everything that its answer waits for', async () => {
  const id = await begin(order);
  const { idToken } = await product.sessionOf('bob');
  const send = async () => {
    const response = await fetch(`${product.url}/v1/chat/${id}/message`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${idToken}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      body: JSON.stringify({ text: 'Order.' }),
    });
    const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: {'));
    return messagesOf(lines.map((line) => JSON.parse(line.slice(6)) as ChatStreamEvent)).at(-1);
  };
  const first = await send();
  expect(first).toMatchObject({ state: 'waiting', toolCalls: [{ waitsFor: 'word' }] });
  expect(await send()).toEqual(first);
});

test('an answer that resumes keeps its siblings and those of its question', async () => {
  const id = await begin(order);
  await bob.chat.send({ id, text: 'Order.' });
  const asked = (await bob.chat.listMessages({ id })).messages[0]?.id ?? '';
  await bob.chat.edit({ id, messageId: asked, text: 'Order two.' });
  const before = (await bob.chat.listMessages({ id })).messages;
  await bob.chat.regenerate({ id, messageId: before[1]?.id ?? '' });
  const [question, waits] = (await bob.chat.listMessages({ id })).messages;
  expect([question?.siblings.length, waits?.siblings.length]).toEqual([2, 2]);
  const path = `/v1/chat/${id}/message/${waits?.id}/tool-call/${waits?.toolCalls[0]?.id}`;
  const stream = await openStream(product, 'bob', path, { body: { decision: 'deny' } });
  const told = messagesOf(await collect(stream.events));
  expect(told.map(({ siblings }) => siblings)).toEqual([question?.siblings, waits?.siblings]);
});

test('a reader with a link does not see what a call would send', async () => {
  const id = await begin(order);
  await bob.chat.send({ id, text: 'Order.' });
  const { link } = await bob.chatLink.create({ id, kind: 'read', audience: 'anybody' });
  const { messages } = await product.as('nobody', 'anonymous').chatLink.open({ token: link.token });
  expect(messages.at(-1)?.toolCalls).toMatchObject([
    { summary: 'Order something', state: 'waiting', waitsFor: null, values: [], form: [], service: null },
  ]);
});

test('members see nothing of temporary or deleted conversations in the call log or in receipts', async () => {
  const logged = async () =>
    (await ada.tool.listCalls({ id: toolId })).calls.map(({ conversationId }) => conversationId);
  calling(list);
  const temporary = (await bob.chat.create({ chatbotId: agentId, temporary: true })).conversation.id;
  const { answer: secret } = await bob.chat.send({ id: temporary, text: 'My open orders?' });
  const id = await begin(list);
  const { answer: open } = await bob.chat.send({ id, text: 'My open orders?' });
  expect(reached()).toHaveLength(2);
  expect(await logged()).toContain(id);
  expect(await logged()).not.toContain(temporary);
  const receiptOf = (conversation: string, messageId: string) =>
    ada.answer.receipt({ id: conversation, messageId });
  expect((await receiptOf(id, open.id)).receipt.query).toBe('My open orders?');
  await expect(receiptOf(temporary, secret.id)).rejects.toMatchObject({ status: 404 });
  await bob.history.remove({ id });
  expect(await logged()).not.toContain(id);
  // A member's own trial reveals nobody else's secrets.
  calling(list);
  const tried = (await ada.chat.create({ chatbotId: agentId, version: 'draft' })).conversation.id;
  const { answer: trial } = await ada.chat.send({ id: tried, text: 'Orders?' });
  expect(await logged()).toContain(tried);
  expect((await receiptOf(tried, trial.id)).receipt.query).toBe('Orders?');
});

test('an answer that waits for a tool does not wait forever when the tool is removed', async () => {
  const { tool } = await ada.tool.get({ id: toolId });
  const { organizationId } = tool;
  const chatbotId = (await ada.chatbot.create({ organizationId, name: 'Two tools' })).chatbot.id;
  const shop = async (operationId: string) => {
    const { id } = (await ada.tool.create({ organizationId, agentId: chatbotId, name: operationId })).tool;
    await ada.tool.update({ id, schema: { url: `${service.url}/openapi.json` } });
    await ada.tool.update({ id, operations: [{ id: operationId, enabled: true }] });
    return id;
  };
  const ordering = await shop('createOrder');
  await shop('cancelOrder');
  calling(order, cancel);
  const { id } = (await bob.chat.create({ chatbotId })).conversation;
  const { answer: waits } = await bob.chat.send({ id, text: 'Order, and cancel 7.' });
  const callId = waits.toolCalls.find(({ summary }) => summary === 'Cancel an order')?.id ?? '';
  const word = { id, messageId: waits.id, callId, decision: 'allow' as const };
  await bob.chat.decideToolCall(word);
  await ada.tool.remove({ id: ordering });
  expect(await lastOf(id)).toMatchObject({ state: 'incomplete', toolCalls: [{ state: 'refused' }] });
  calling(cancel);
  expect((await bob.chat.retry({ id })).answer).toMatchObject({ state: 'waiting' });
  expect(reached()).toEqual([]);
});

test('in a room only its owner is asked; the others are told that something is waiting', async () => {
  calling(order);
  const { id } = (await bob.chat.create({ chatbotId: agentId, kind: 'game' })).conversation;
  const { link } = await bob.chatLink.create({ id, kind: 'join', audience: 'anybody' });
  const carol = product.as('carol');
  await carol.room.join({ token: link.token });
  await bob.chat.send({ id, text: 'Order.' });
  const asked = { state: 'waiting', waitsFor: 'word', values: [{ value: 'Lamp' }, { value: '2' }] };
  expect((await bob.room.listMessages({ id })).messages.at(-1)?.toolCalls).toMatchObject([asked]);
  const told = { state: 'waiting', waitsFor: null, values: [] };
  expect((await carol.room.listMessages({ id })).messages.at(-1)?.toolCalls).toMatchObject([told]);
  expect((await carol.chat.listMessages({ id })).messages.at(-1)?.toolCalls).toMatchObject([told]);
  const { messages: exported } = await carol.history.export({ id, format: 'json' });
  expect(exported?.at(-1)?.toolCalls).toMatchObject([told]);
});

test('in a room the others do not see what a call would send while the answer streams, whoever asked', async () => {
  calling(order);
  const { id } = (await bob.chat.create({ chatbotId: agentId, kind: 'game' })).conversation;
  const { link } = await bob.chatLink.create({ id, kind: 'join', audience: 'anybody' });
  await product.as('carol').room.join({ token: link.token });
  const shownTo = async (name: string, text: string) => {
    const stream = await openStream(product, name, `/v1/chat/${id}/message`, { body: { text } });
    return (await collect(stream.events)).flatMap((event) => {
      if (event.type === 'data-tool-calls') return event.data;
      return event.type === 'data-message' ? event.data.toolCalls : [];
    });
  };
  const toCarol = await shownTo('carol', 'Order.');
  expect(toCarol.map(({ state }) => state)).toContain('waiting');
  expect(toCarol.every(({ waitsFor, values }) => waitsFor === null && values.length === 0)).toBe(true);
  const { answer: whole } = await product.as('carol').chat.send({ id, text: 'Order, I said.' });
  expect(whole.toolCalls).toMatchObject([{ state: 'waiting', waitsFor: null, values: [] }]);
  const toBob = await shownTo('bob', 'Order once more.');
  expect(toBob.at(-1)).toMatchObject({ waitsFor: 'word', values: [{ value: 'Lamp' }, { value: '2' }] });
});

test('a call that has waited longer than a week is shown as expired, and can no longer be confirmed', async () => {
  calling(order);
  const eve = product.as('eve');
  const { id } = (await eve.chat.create({ chatbotId: agentId })).conversation;
  const { answer: waits } = await eve.chat.send({ id, text: 'Order.' });
  const callId = waits.toolCalls[0]?.id ?? '';
  const { owner } = product.app.deps.db;
  await owner.query(`update tool_call set created_at = now() - interval '169 hours' where id = $1`, [callId]);
  const told = async () =>
    (await eve.chat.listMessages({ id })).messages.find((each) => each.id === waits.id)?.toolCalls;
  expect(await told()).toMatchObject([{ state: 'expired', waitsFor: null, values: [] }]);
  const decision = { id, messageId: waits.id, callId, decision: 'allow' as const };
  await expect(eve.chat.decideToolCall(decision)).rejects.toMatchObject({ code: 'tool/not-waiting' });
  provider.script = { pieces: ['Else.'] };
  await eve.chat.send({ id, text: 'Never mind.' });
  expect(await told()).toMatchObject([{ state: 'expired' }]);
  expect(reached()).toEqual([]);
});

test('when a read-only call fails the model is told that nothing was changed', async () => {
  const id = await begin(list, order);
  service.answer = (_, response) => void response.writeHead(500).end();
  const { answer: waits } = await bob.chat.send({ id, text: 'List them, and order one.' });
  const callId = waits.toolCalls.find(({ state }) => state === 'waiting')?.id ?? '';
  await bob.chat.decideToolCall({ id, messageId: waits.id, callId, decision: 'allow' });
  const told = provider.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
  expect(told?.[0]?.content).toMatch(/^It failed. Nothing was changed\./);
  expect(told?.[1]?.content).toMatch(/^It failed, and it is not certain/);
});
