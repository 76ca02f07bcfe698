import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';

/** A message resent under its key, because nobody knows whether it arrived, isn't said twice. */

let product: Product;
let provider: Provider;
let agentId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes', '.'], betweenPiecesMs: 100 });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  const ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  agentId = (await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const post = (id: string, text: string, key: string, accept?: string) =>
  postTo(`${id}/message`, { text }, key, accept);

async function postTo(path: string, body: object, key: string, accept = 'text/event-stream') {
  const { idToken } = await product.sessionOf('bob', 'guest');
  return fetch(`${product.url}/v1/chat/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${idToken}`,
      'content-type': 'application/json',
      accept,
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
}

const begin = async () =>
  (await product.as('bob', 'guest').chat.create({ chatbotId: agentId })).conversation.id;
const messagesOf = async (id: string) =>
  (await product.as('bob', 'guest').chat.listMessages({ id })).messages.map(({ text }) => text);

test('a message sent twice at once gives both readers the one answer', async () => {
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

test('a message sent again after its answer gets that answer again, streamed or whole', async () => {
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

test('other text under the same key is refused and changes nothing', async () => {
  const id = await begin();
  await (await post(id, 'Well?', 'c')).text();
  const other = await post(id, 'Really?', 'c');
  expect(other.status).toBe(422);
  expect(await other.json()).toMatchObject({ code: 'idempotency/mismatch' });
  expect(await messagesOf(id)).toEqual(['Well?', 'Yes.']);
  expect((await post(id, 'Well?', 'x'.repeat(300))).status).toBe(400);
});

test('the same key of another person, or in another conversation, is a different key', async () => {
  const [one, two] = [await begin(), await begin()];
  await (await post(one, 'Well?', 'd')).text();
  await (await post(two, 'Else?', 'd')).text();
  expect(await messagesOf(two)).toEqual(['Else?', 'Yes.']);
});

const shownOf = async (id: string) => (await product.as('bob', 'guest').chat.listMessages({ id })).messages;

test('a regeneration repeated under one key happens once, and its readers see the siblings', async () => {
  const id = await begin();
  await (await post(id, 'Well?', 'e')).text();
  const [question, first] = await shownOf(id);
  const again = (key: string, accept?: string) =>
    postTo(`${id}/message/${first?.id}/regenerate`, {}, key, accept);
  const asked = provider.requests.length;
  const streams = await Promise.all([again('f'), again('f')]);
  for (const stream of streams) expect(await stream.text()).toContain('"text":"Yes."');
  const [, second] = await shownOf(id);
  const siblings = [first?.id, second?.id];
  expect(second).toMatchObject({ parentId: question?.id, siblings });
  const whole = await again('f', 'application/json');
  expect(await whole.json()).toMatchObject({ answer: { id: second?.id, text: 'Yes.', siblings } });
  expect(await (await again('f')).text()).toContain(`"siblings":${JSON.stringify(siblings)}`);
  expect(provider.requests.length).toBe(asked + 1);
  // Under another key it is a different request, for an answer that is no longer shown.
  expect((await again('g')).status).toBe(404);
});

test('an edit repeated under one key happens once, and other text under it is refused', async () => {
  const id = await begin();
  await (await post(id, 'Well?', 'h')).text();
  const [question] = await shownOf(id);
  const edit = (text: string, key: string) => postTo(`${id}/message/${question?.id}/edit`, { text }, key);
  for (let time = 0; time < 2; time += 1)
    expect(await (await edit('Really?', 'i')).text()).toContain('"text":"Yes."');
  expect((await shownOf(id)).map(({ text }) => text)).toEqual(['Really?', 'Yes.']);
  expect((await shownOf(id))[0]?.siblings).toHaveLength(2);
  for (const other of [
    await edit('Or so?', 'i'),
    await edit('Really?', 'h'),
    await post(id, 'Really?', 'i'),
    await postTo(`${id}/retry`, {}, 'h'),
  ]) {
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'idempotency/mismatch' });
  }
  expect((await shownOf(id)).map(({ text }) => text)).toEqual(['Really?', 'Yes.']);
});
