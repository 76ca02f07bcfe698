import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/provider.ts';

/** A message that is sent again under its key, because nobody knows whether it arrived, is not said twice. */

let product: Product;
let provider: Provider;
let agentId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes', '.'], betweenPiecesMs: 100 });
  product = await startProduct({
    providers: { openai: { apiKey: 'sk-test', baseUrl: provider.baseUrl, model: 'stand-in' } },
  });
  const ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  agentId = (await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

async function post(id: string, text: string, key: string, accept = 'text/event-stream') {
  const { idToken } = await product.sessionOf('bob', 'guest');
  return fetch(`${product.url}/v1/chat/${id}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${idToken}`,
      'content-type': 'application/json',
      accept,
      'idempotency-key': key,
    },
    body: JSON.stringify({ text }),
  });
}

const begin = async () =>
  (await product.as('bob', 'guest').chat.create({ chatbotId: agentId })).conversation.id;
const messagesOf = async (id: string) =>
  (await product.as('bob', 'guest').chat.listMessages({ id })).messages.map(({ text }) => text);

test('sent twice at once, both readers see the one answer', async () => {
  const id = await begin();
  const asked = provider.requests.length;
  const responses = await Promise.all([
    post(id, 'Well?', 'a'),
    post(id, 'Well?', 'a'),
    post(id, 'Well?', 'a'),
  ]);
  for (const response of responses) {
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"text":"Yes."');
  }
  expect(await messagesOf(id)).toEqual(['Well?', 'Yes.']);
  expect(provider.requests.length).toBe(asked + 1);
});

test('sent again after the answer, the answer is given again, as a stream or whole', async () => {
  const id = await begin();
  await (await post(id, 'Well?', 'b')).text();
  const again = await post(id, 'Well?', 'b');
  expect(await again.text()).toContain('"text":"Yes."');
  const whole = await post(id, 'Well?', 'b', 'application/json');
  expect(await whole.json()).toMatchObject({
    message: { text: 'Well?' },
    answer: { text: 'Yes.', state: 'complete' },
  });
  expect(await messagesOf(id)).toEqual(['Well?', 'Yes.']);
});

test('other words under the same key are refused and change nothing', async () => {
  const id = await begin();
  await (await post(id, 'Well?', 'c')).text();
  const other = await post(id, 'Really?', 'c');
  expect(other.status).toBe(422);
  expect(await other.json()).toMatchObject({ code: 'idempotency/mismatch' });
  expect(await messagesOf(id)).toEqual(['Well?', 'Yes.']);
  expect((await post(id, 'Well?', 'x'.repeat(300))).status).toBe(400);
});

test('the key of somebody else, or in another conversation, is another key', async () => {
  const [one, two] = [await begin(), await begin()];
  await (await post(one, 'Well?', 'd')).text();
  await (await post(two, 'Else?', 'd')).text();
  expect(await messagesOf(two)).toEqual(['Else?', 'Yes.']);
});
