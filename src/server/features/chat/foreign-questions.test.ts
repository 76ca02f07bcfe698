import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import {
  startProvider,
  type Provider,
  type ProviderRequest,
  type ProviderScript,
} from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent, untilReady } from '../../../../test/taught-agent.ts';

const sheet = `# Hotel Seeblick

## Pets
Dogs are welcome in the garden rooms for 15 francs a night.

## Spa
The sauna is open from 2 pm to 9 pm on weekdays, and from 10 am on Sundays.`;

/** How the stand-in answers when it is asked to translate. */
let translating: Partial<ProviderScript>;
let provider: Provider;
let product: Product;
let ada: TestClient;
let organizationId: string;
let id: string;

const isTranslation = ({ messages }: ProviderRequest): boolean =>
  String(messages[0]?.content).startsWith('Translate');

/** What models were sent, in order. */
const requests = () =>
  provider.requests.map((request) => ({
    isTranslation: isTranslation(request),
    system: String(request.messages[0]?.content),
    said: JSON.stringify(request.messages.at(-1)?.content),
  }));

beforeAll(async () => {
  provider = await startProvider({
    pieces: ['Ja [1].'],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
    of: (request) => (isTranslation(request) ? translating : {}),
  });
  product = await startProduct({ providers: { openai: provider.openai } });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Hotel' })).organization.id;
  ({ id } = await makeTaughtAgent(ada, organizationId, sheet));
  await ada.chatbot.update({ id, organizationId, enableKnowledgeBaseMode: true });
});
afterAll(async () => {
  await product.close();
  await provider.close();
});
beforeEach(() => {
  translating = {
    pieces: ['May I bring ', 'my dog?'],
    usage: { prompt_tokens: 30, completion_tokens: 5 },
  };
  provider.requests.length = 0;
});

async function ask(...questions: string[]) {
  const { conversation } = await ada.chat.create({ chatbotId: id });
  let sent;
  for (const text of questions) sent = await ada.chat.send({ id: conversation.id, text });
  const { answer } = sent ?? {};
  const { receipt } = await ada.answer.receipt({ id: conversation.id, messageId: answer?.id ?? '' });
  return { answer, receipt };
}

const fallback = /have an answer to this/;

test('a question in another language is translated for the search, and answered as it was asked', async () => {
  const { answer, receipt } = await ask('Darf ich meinen Hund mitbringen?');
  expect(answer).toMatchObject({ text: 'Ja [1].', state: 'complete' });
  const [first, second] = requests();
  expect(first?.system).toContain('into English');
  expect(first?.said).toContain('Darf ich meinen Hund mitbringen?');
  expect(second?.system).toContain('15 francs');
  expect(second?.said).toContain('Darf ich meinen Hund mitbringen?');
  const query = 'May I bring my dog?';
  expect(receipt).toMatchObject({ query, inputTokens: 130, outputTokens: 15, credits: 1 });
});

test.each([
  ['a word', 'Haustiere?'],
  ['another script', '可以带狗吗？'],
])('so is %s that may be in another language', async (_, question) => {
  expect((await ask(question)).answer?.text).toBe('Ja [1].');
});

test('what a question refers to is translated with it', async () => {
  translating = { pieces: ['Hmm. The sauna, probably.\n\n- When is the sauna open on Sundays?'] };
  await ask('Wann hat die Sauna geöffnet?', 'Und am Sonntag?');
  const last = requests().findLast(({ isTranslation }) => isTranslation);
  expect(last?.said).toContain('Earlier question: Wann hat die Sauna geöffnet?');
  expect(requests().at(-1)?.system).toContain('10 am on Sundays');
});

test.each(['Can I bring my dog?', 'Who won the curling championship last year?'])(
  '%s is in the language of the texts',
  async (question) => {
    await ask(question);
    expect(requests().filter(({ isTranslation }) => isTranslation)).toEqual([]);
  },
);

test('a translation that finds nothing either leaves the agent without an answer, free of charge', async () => {
  translating = { pieces: ['Who won the curling championship?'] };
  const { answer, receipt } = await ask('Wer hat die Meisterschaft im Curling gewonnen?');
  expect(answer?.text).toMatch(fallback);
  expect(receipt).toMatchObject({ query: 'Wer hat die Meisterschaft im Curling gewonnen?', credits: 0 });
});

test.each<[string, Partial<ProviderScript>]>([
  ['fails', { status: 500 }],
  ['is rejected', { status: 400 }],
  ['is cut off', { pieces: ['May I bring my', ' dog?'], cutAfter: 1 }],
  ['is empty', { pieces: ['```\n---\n```'] }],
  ['never comes', { hang: true }],
])('a translation that %s is done without', { timeout: 60_000 }, async (_, script) => {
  translating = script;
  const { answer, receipt } = await ask('Darf ich meinen Hund mitbringen?');
  expect(answer).toMatchObject({ text: expect.stringMatching(fallback) as string, state: 'complete' });
  expect(receipt.credits).toBe(0);
});

test('an answer can be stopped while its question is translated', async () => {
  translating = { hang: true };
  const { conversation } = await ada.chat.create({ chatbotId: id });
  const sent = ada.chat.send({ id: conversation.id, text: 'Darf ich meinen Hund mitbringen?' });
  await vi.waitUntil(() => requests().length > 0, 30_000);
  await ada.chat.stop({ id: conversation.id });
  expect((await sent).answer).toMatchObject({ state: 'stopped', text: '' });
  expect(requests()).toHaveLength(1);
});

test('trying a question shows what was searched for', async () => {
  const question = 'Darf ich meinen Hund mitbringen?';
  const { retrieval } = await ada.knowledge.tryQuestion({ id, question });
  expect(retrieval).toMatchObject({ query: 'May I bring my dog?' });
  expect(retrieval.support).toBeGreaterThan(retrieval.leastSupport);
  expect(retrieval.passages[0]?.text).toContain('15 francs');
});

test('texts in two languages are searched in both', async () => {
  const { id: both } = await makeTaughtAgent(ada, organizationId, sheet);
  const text = 'Das Frühstück wird im Wintergarten von sieben bis zehn Uhr serviert. Es kostet 22 Franken.';
  await ada.knowledge.create({ id: both, organizationId, type: 'text', description: 'Frühstück', text });
  await untilReady(ada, both);
  translating = { pieces: ['What does breakfast cost?\nWas kostet das Frühstück?'] };
  const question = 'Combien coûte le petit-déjeuner ?';
  const { retrieval } = await ada.knowledge.tryQuestion({ id: both, question });
  expect(requests()[0]?.system).toMatch(/into (English, then into German|German, then into English)/);
  expect(retrieval.query).toBe('Was kostet das Frühstück?');
  expect(retrieval.passages[0]?.text).toContain('22 Franken');
});
