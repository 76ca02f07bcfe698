import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../../test/product.ts';
import { startProvider } from '../../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../../test/taught-agent.ts';

const sheet = `# Hotel Seeblick

## Pets
Dogs are welcome in the garden rooms for 15 francs a night.

## Wi-Fi
The network is called Seeblick-Guest. Its password is on the card in your room.

## Departure
Late check-out until 2 pm costs 25 francs and must be booked the evening before.

## Spa
The sauna is open from 2 pm to 9 pm. A massage takes 50 minutes. Its price is 95 francs.`;

let product: Product;
let ada: TestClient;
let id: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Hotel' });
  ({ id } = await makeTaughtAgent(ada, organization.id, sheet));
});
afterAll(() => product.close());

async function ask(client: TestClient, chatbotId: string, text: string): Promise<string | undefined> {
  const { conversation } = await client.chat.create({ chatbotId });
  return (await client.chat.send({ id: conversation.id, text })).answer?.text;
}

test.each([
  ['Hi, I would like to know whether I can bring my dog', /15 francs/],
  ['could you please tell me the price of a massage?', /95 francs/],
  ['whats the wifi password', /card in your room/],
  ['how much is late checkout', /25 francs/],
  ['massge', /50 minutes/],
])('%s', async (question, expected) => {
  expect(await ask(ada, id, question)).toMatch(expected);
});

test.each([
  'Hello, could you please tell me who owns the hotel?',
  'Do you take umbrellas?',
  'Can you help me?',
])('%s: it does not know', async (question) => {
  expect(await ask(ada, id, question)).toMatch(/have an answer to this/);
});

test('trying a question shows what is asked about', async () => {
  const question = 'Could you please tell me the Wi-Fi password?';
  const { retrieval } = await ada.knowledge.tryQuestion({ id, question });
  expect(retrieval.terms.map(({ term }) => term).toSorted()).toEqual(['fi', 'password', 'wi']);
  expect(retrieval.support).toBe(1);
});

test('a question in other words than the passage reaches a model, which judges by itself', async () => {
  const provider = await startProvider({ pieces: ['From two.'] });
  const answering = await startProduct({
    providers: { openai: { apiKey: 'sk-x', baseUrl: provider.baseUrl, model: 'stand-in' } },
  });
  try {
    const owner = answering.as('ada');
    const { organization } = await owner.organization.create({ name: 'Hotel' });
    const agent = await makeTaughtAgent(owner, organization.id, sheet);
    await owner.chatbot.update({
      id: agent.id,
      organizationId: organization.id,
      enableKnowledgeBaseMode: true,
    });
    const question = 'From when onwards may guests sweat in the sauna?';
    const { retrieval } = await owner.knowledge.tryQuestion({ id: agent.id, question });
    expect(retrieval.support).toBeGreaterThan(retrieval.leastSupport);
    expect(await ask(owner, agent.id, question)).toBe('From two.');
    expect((await ada.knowledge.tryQuestion({ id, question })).retrieval.leastSupport).toBeGreaterThan(
      retrieval.support,
    );
    expect(await ask(owner, agent.id, 'Who won the curling championship?')).toMatch(/have an answer to this/);
  } finally {
    await answering.close();
    await provider.close();
  }
});
