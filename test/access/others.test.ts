import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../product.ts';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { openStream } from '../stream.ts';
import { makeTaughtAgent } from '../taught-agent.ts';
import { bearing, visit } from '../visit.ts';

/** Two organizations with an agent each, and people who want to read what isn't theirs. */

const SENTENCE = 'The zorbanax protocol begins at dawn beneath the seventh lighthouse.';
let product: Product;
let provider: Provider;
let ada: TestClient;
let agentId: string;
let eve: TestClient;
let evesAgentId: string;
beforeAll(async () => {
  provider = await startProvider({ pieces: ['I do not know.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  [ada, eve] = [product.as('ada'), product.as('eve')];
  const own = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await makeTaughtAgent(ada, own, SENTENCE)).id;
  const others = (await eve.organization.create({ name: 'Other' })).organization.id;
  evesAgentId = (await makeTaughtAgent(eve, others, 'The shop opens at nine.')).id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const notThere = { status: 404, code: 'resource/not-found' };
async function said(client: TestClient, chatbotId = agentId, text = 'Hello?') {
  const { id } = (await client.chat.create({ chatbotId })).conversation;
  const { answer } = await client.chat.send({ id, text });
  return { id, messageId: answer.id, answer };
}

test('A8: an agent finds nothing of another organization, even word for word, and a citation opens nothing there', async () => {
  provider.requests.length = 0;
  const { answer } = await said(eve, evesAgentId, SENTENCE);
  expect(answer.citations).toEqual([]);
  // The question itself is all the model is told of it.
  const [question, ...more] = JSON.stringify(provider.requests).split(SENTENCE).slice(1);
  expect([question !== undefined, more]).toEqual([true, []]);

  provider.script = { pieces: ['At dawn [1].'] };
  const shared = await said(ada, agentId, 'When does the zorbanax protocol begin?');
  provider.script = { pieces: ['I do not know.'] };
  const [citation] = shared.answer.citations;
  expect(citation?.text).toContain('zorbanax');
  const { sourceId = '', knowledgeId = '' } = citation ?? {};
  for (const id of [agentId, evesAgentId])
    await expect(eve.source.get({ id, knowledgeId, sourceId })).rejects.toMatchObject(notThere);
});

test('A9: an answer in progress cannot be followed or stopped by anybody else, and continues', async () => {
  provider.script = { pieces: ['One ', 'two ', 'three.'], betweenPiecesMs: 400 };
  const bob = product.as('bob', 'guest');
  const { id } = (await bob.chat.create({ chatbotId: agentId, text: 'Count.' })).conversation;
  await expect(eve.chat.stop({ id })).rejects.toMatchObject(notThere);
  expect((await openStream(product, 'eve', `/v1/chat/${id}/stream`)).status).toBe(404);
  await expect
    .poll(async () => (await bob.chat.listMessages({ id })).messages.at(-1)?.text)
    .toBe('One two three.');
  provider.script = { pieces: ['I do not know.'] };
});

test('A10: another person’s message does not exist, even under a conversation of the caller', async () => {
  const theirs = await said(product.as('bob', 'guest'));
  const mine = await said(eve, agentId);
  for (const id of [theirs.id, mine.id]) {
    const foreign = { id, messageId: theirs.messageId };
    await expect(eve.answer.rate({ ...foreign, rating: 'up' })).rejects.toMatchObject(notThere);
    await expect(eve.chat.regenerate(foreign)).rejects.toMatchObject(notThere);
    await expect(eve.chat.edit({ ...foreign, text: 'x' })).rejects.toMatchObject(notThere);
    await expect(eve.chat.choose(foreign)).rejects.toMatchObject(notThere);
    await expect(eve.voice.speak(foreign)).rejects.toMatchObject({ status: expect.any(Number) as number });
    await expect(eve.answer.receipt(foreign)).rejects.toMatchObject(notThere);
  }
  const { id } = theirs;
  await expect(eve.history.export({ id, format: 'json' })).rejects.toMatchObject(notThere);
  await expect(eve.history.update({ id, title: 'Mine' })).rejects.toMatchObject(notThere);
  await expect(eve.chatLink.create({ id, kind: 'read', audience: 'anybody' })).rejects.toMatchObject(
    notThere,
  );
});

test('A12: guests and visitors of one agent see only their own, even with another person’s cursor', async () => {
  const people = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const { token } = await visit(product, agentId);
      return [product.as(`guest ${name}`, 'guest'), bearing(product, token)];
    }),
  );
  const all = people.flat();
  const ids = new Map<TestClient, string[]>();
  for (const client of all) {
    const own = await Promise.all([1, 2, 3].map(() => said(client)));
    ids.set(
      client,
      own.map(({ id }) => id),
    );
  }
  const cursors = await Promise.all(
    all.map(async (client) => (await client.chat.list({ count: 1 })).nextCursor ?? ''),
  );
  for (const [index, client] of all.entries()) {
    const own = ids.get(client) ?? [];
    for (const [of, cursor] of cursors.entries()) {
      const page = client.chat.list({ cursor, count: 100 });
      if (of === index) for (const { id } of (await page).conversations) expect(own).toContain(id);
      else await expect(page).rejects.toMatchObject({ status: 400 });
    }
    for (const id of [...ids.values()].flat().filter((each) => !own.includes(each))) {
      await expect(client.chat.get({ id })).rejects.toMatchObject(notThere);
      await expect(client.chat.listMessages({ id })).rejects.toMatchObject(notThere);
    }
  }
});

test('A13: no cache keeps an answer for anybody else', async () => {
  const { id } = await said(ada);
  const { idToken: owner } = await product.sessionOf('ada');
  const { idToken: other } = await product.sessionOf('eve');
  const paths = [
    `/v1/chat/${id}`,
    '/v1/chat',
    `/v1/chatbot/${agentId}/users`,
    '/v1/platform/organization',
    `/v1/agent/${agentId}`,
  ];
  for (const path of paths) {
    const bodies: string[] = [];
    for (const token of [owner, other, undefined]) {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(product.url + path, { headers });
      expect([path, response.headers.get('cache-control'), response.headers.get('etag')]).toEqual([
        path,
        'no-store',
        null,
      ]);
      bodies.push(await response.text());
    }
    if (!path.startsWith('/v1/agent/')) expect(new Set(bodies).size, path).toBe(3);
  }
});
