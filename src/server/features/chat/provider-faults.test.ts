import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  startFaultyProvider,
  type Fault,
  type FaultyProvider,
} from '../../../../test/stand-ins/faulty-provider.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { collect, openStream, textOf } from '../../../../test/stream.ts';
import type { MessageState } from '../../../contract/chat.ts';

/** The silence timeout here, in seconds, so that no test takes a minute. */
const SILENCE_SECONDS = 2;

let product: Product;
let faulty: FaultyProvider;
let well: FaultyProvider;
let organizationId: string;
let agentId: string;
let otherAgentId: string;
const unhandled: unknown[] = [];
const remember = (reason: unknown) => void unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', remember);
  faulty = await startFaultyProvider();
  well = await startFaultyProvider();
  product = await startProduct({
    providers: {
      openai: { apiKey: 'sk-canary-1234567890', baseUrl: faulty.baseUrl, model: 'stand-in' },
      compatible: { baseUrl: well.baseUrl, model: 'well' },
      anthropic: { apiKey: 'x', baseUrl: 'http://127.0.0.1:1', model: 'refused' },
      google: { apiKey: 'x', baseUrl: 'https://no-such-host.invalid', model: 'nameless' },
    },
    providerSilenceMaxSeconds: SILENCE_SECONDS,
    providerFailuresMax: 1000,
  });
  const ada = product.as('ada');
  ({ id: organizationId } = (await ada.organization.create({ name: 'Acme' })).organization);
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  otherAgentId = (await ada.chatbot.create({ organizationId, name: 'Other' })).chatbot.id;
  await ask(otherAgentId, 'compatible/well');
});
afterAll(async () => {
  process.off('unhandledRejection', remember);
  await product.close();
  await faulty.close();
  await well.close();
});
afterEach(() => expect(unhandled).toEqual([]));

/** Sets the model that answers for an agent. */
async function ask(id: string, model: string | null, fallbacks: string[] = []): Promise<void> {
  await product.as('ada').chatbot.update({ id, organizationId, modelSettings: { model, fallbacks } });
}

async function converse(chatbotId: string): Promise<string> {
  return (await product.as('ada').chat.create({ chatbotId })).conversation.id;
}

/** How an answer ends on a fault: its state, and its remaining text. */
const outcomes: [Fault, MessageState, string][] = [
  ['a 401', 'failed', ''],
  ['a 429 with Retry-After', 'failed', ''],
  ['a 429 that asks for an hour', 'failed', ''],
  ['a 500', 'failed', ''],
  ['a 503', 'failed', ''],
  ['a redirect', 'failed', ''],
  ['nothing, not even headers', 'failed', ''],
  ['nothing after half of it', 'incomplete', 'Half of '],
  ['an end before the first token', 'failed', ''],
  ['an end after one token', 'incomplete', 'word '],
  ['an end after 50 tokens', 'incomplete', 'word '.repeat(50)],
  ['broken events', 'failed', ''],
  ['half a character', 'complete', 'schön gr\ufffdn'],
  ['a NUL', 'complete', 'Before and after.'],
  ['an event of 10 MB', 'failed', ''],
  ['events without end', 'failed', ''],
  ['a byte at a time', 'complete', 'One by one.'],
  ['no [DONE]', 'complete', 'That was all.'],
  ['no [DONE], and the line stays open', 'complete', 'That was all.'],
  ['a [DONE], and the line stays open', 'complete', 'That was all.'],
  ['the same ids again and again', 'complete', 'Same id.'],
  ['an end for length', 'incomplete', 'Half of it'],
  ['an end for length before a word', 'failed', ''],
  ['a filter', 'incomplete', 'Half of it'],
  ['a filter before a word', 'failed', ''],
  ['blanks alone', 'failed', ' \n'],
  ['a function that nobody offered', 'failed', ''],
  ['numbers of tokens that are none', 'complete', 'All is well.'],
  ['two answers at once', 'complete', 'a0 b0'],
  ['no word', 'failed', ''],
  ['garbage for JSON', 'failed', ''],
  ['an error as JSON with a 200', 'failed', ''],
  ['an error as an event with a 200', 'failed', ''],
  ['an error as an event after a token', 'incomplete', 'Half '],
  ['a page in place of events', 'failed', ''],
];

test.each(outcomes)('%s: the answer is %s, and the conversation continues', async (fault, state, text) => {
  faulty.fault = fault;
  const id = await converse(agentId);
  await expectFault(id, state, text);
  faulty.fault = 'none';
  await expectGoingOn(id, state);
});

test.each([
  ['a connection that is refused', 'anthropic/refused'],
  ['a name that means nothing', 'google/nameless'],
])('%s: the answer fails, and the conversation continues', async (_what, model) => {
  faulty.fault = 'none';
  await ask(agentId, model);
  const id = await converse(agentId);
  await expectFault(id, 'failed', '');
  await ask(agentId, null);
  await expectGoingOn(id, 'failed');
});

test('a connection that cannot be encrypted: the answer fails', async () => {
  const secure = await startProduct({
    providers: { openai: { apiKey: 'x', baseUrl: well.baseUrl.replace('http:', 'https:'), model: 'well' } },
  });
  const ada = secure.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  const { chatbot } = await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  const { conversation } = await ada.chat.create({ chatbotId: chatbot.id });
  const { message, answer } = await ada.chat.send({ id: conversation.id, text: 'Well?' });
  expect([message.text, answer.state]).toEqual(['Well?', 'failed']);
  expect(answer.error).toBeTruthy();
  await secure.close();
});

/** The message is stored, the answer reports its state, other chats continue meanwhile, and the stream ends in time. */
async function expectFault(id: string, state: MessageState, text: string): Promise<void> {
  const started = performance.now();
  const stream = await openStream(product, 'ada', `/v1/chat/${id}/message`, { body: { text: 'Well?' } });
  const other = product.as('ada').chat.send({ id: await converse(otherAgentId), text: 'And you?' });
  const events = await collect(stream.events);
  const seconds = (performance.now() - started) / 1000;
  // One second of silence, one requested by Retry-After, and one for us.
  expect(seconds).toBeLessThan(SILENCE_SECONDS + 2);
  expect((await other).answer).toMatchObject({ state: 'complete', text: 'All is well.' });
  expect(textOf(events)).toBe(text);
  const { messages } = await product.as('ada').chat.listMessages({ id });
  expect(messages.map((message) => [message.role, message.text, message.state])).toEqual([
    ['user', 'Well?', 'complete'],
    ['assistant', text, state],
  ]);
  const error = messages[1]?.error ?? null;
  expect(error !== null).toBe(state !== 'complete');
  // Being cut off by the length limit or a filter isn't an error.
  const isSound = state === 'complete' || text === 'Half of it';
  expect(events.filter(({ type }) => type === 'error')).toHaveLength(isSound ? 0 : 1);
  // The reader sees nothing of what the provider said.
  expect(JSON.stringify(events) + error).not.toContain('canary');
}

async function expectGoingOn(id: string, state: MessageState): Promise<void> {
  const ada = product.as('ada');
  if (state !== 'complete')
    expect((await ada.chat.retry({ id })).answer).toMatchObject({ state: 'complete', text: 'All is well.' });
  expect((await ada.chat.send({ id, text: 'And now?' })).answer).toMatchObject({
    state: 'complete',
    text: 'All is well.',
  });
}

test('a briefly overloaded provider is asked once more, after the delay it requests', async () => {
  faulty.fault = 'a 429 with Retry-After';
  faulty.asked = 0;
  const id = await converse(agentId);
  const started = performance.now();
  const answering = product.as('ada').chat.send({ id, text: 'Well?' });
  await expect.poll(() => faulty.asked).toBe(1);
  faulty.fault = 'none';
  expect((await answering).answer.state).toBe('complete');
  expect(performance.now() - started).toBeGreaterThan(950);
  expect(faulty.asked).toBe(2);
});

test.each([
  ['a 401', 1],
  ['a 429 that asks for an hour', 1],
  ['nothing, not even headers', 1],
  ['an end after one token', 1],
  ['a 503', 2],
  ['an end before the first token', 2],
] as const)('%s: the provider is called %i times', async (fault, times) => {
  faulty.fault = fault;
  faulty.asked = 0;
  await product.as('ada').chat.send({ id: await converse(agentId), text: 'Well?' });
  faulty.fault = 'none';
  expect(faulty.asked).toBe(times);
});

test.each([
  ['an end for length', 'The answer reached its maximum length and ends here.', 1, 'length'],
  ['an end for length before a word', /reached its maximum answer length without writing/, 0, undefined],
  ['a filter', 'The model provider withheld the rest of this answer.', 1, 'content_filter'],
  ['a filter before a word', 'The model provider withheld this answer.', 0, undefined],
  ['a function that nobody offered', /did not answer/, 0, undefined],
] as const)('%s: it is reported, and what was answered is charged', async (fault, words, credits, cut) => {
  faulty.fault = fault;
  const { answer } = await product.as('ada').chat.send({ id: await converse(agentId), text: 'Well?' });
  faulty.fault = 'none';
  expect(answer.error).toMatch(words);
  const [stored] = (
    await product.app.deps.db.owner.query<{ receipt: { credits: number; cut?: string } }>(
      'select receipt from message where id = $1',
      [answer.id],
    )
  ).rows;
  expect([stored?.receipt.credits, stored?.receipt.cut]).toEqual([credits, cut]);
});

test('the models of a chain are tried in order until one answers, and the receipt names it', async () => {
  faulty.fault = 'a 401';
  await ask(agentId, 'openai/stand-in', ['gone/away', 'anthropic/refused', 'compatible/well']);
  const ada = product.as('ada');
  const { answer } = await ada.chat.send({ id: await converse(agentId), text: 'Well?' });
  expect(answer).toMatchObject({ state: 'complete', text: 'All is well.' });
  const [stored] = (
    await product.app.deps.db.owner.query('select receipt from message where id = $1', [answer.id])
  ).rows as { receipt: object }[];
  expect(stored?.receipt).toMatchObject({
    model: 'compatible/well',
    failedModels: ['openai/stand-in', 'anthropic/refused'],
    inputTokens: 10,
    outputTokens: 3,
  });
  faulty.fault = 'none';
  await ask(agentId, null);
});

test('once a word has been shown no other model takes over', async () => {
  faulty.fault = 'an end after one token';
  await ask(agentId, 'openai/stand-in', ['compatible/well']);
  well.asked = 0;
  const { answer } = await product.as('ada').chat.send({ id: await converse(agentId), text: 'Well?' });
  expect([answer.state, answer.text, well.asked]).toEqual(['incomplete', 'word ', 0]);
  faulty.fault = 'none';
  await ask(agentId, null);
});

test('a missing model falls through to the next, finally to the default', async () => {
  await ask(agentId, 'openai/deleted', ['compatible/well']);
  const ada = product.as('ada');
  well.asked = 0;
  await ada.chat.send({ id: await converse(agentId), text: 'Well?' });
  expect(well.asked).toBe(1);
  await ask(agentId, 'openai/deleted', ['gone/too']);
  faulty.asked = 0;
  expect((await ada.chat.send({ id: await converse(agentId), text: 'Well?' })).answer.state).toBe('complete');
  expect(faulty.asked).toBe(1);
  await ask(agentId, null);
});

test('50 chats at a hanging provider end in time, and the one beside them does not wait', async () => {
  faulty.fault = 'nothing, not even headers';
  const ids = await Promise.all(Array.from({ length: 50 }, () => converse(agentId)));
  const beside = await converse(otherAgentId);
  const started = performance.now();
  const all = ids.map((id) => product.as('ada').chat.send({ id, text: 'Well?' }));
  expect((await product.as('ada').chat.send({ id: beside, text: 'And you?' })).answer.state).toBe('complete');
  const states = new Set((await Promise.all(all)).map(({ answer }) => answer.state));
  expect([...states]).toEqual(['failed']);
  expect((performance.now() - started) / 1000).toBeLessThan(SILENCE_SECONDS + 4);
  faulty.fault = 'none';
});
