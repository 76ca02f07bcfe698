import { afterAll, beforeAll, expect, test } from 'vitest';
import { plans } from '../../../contract/plans.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { untilReady } from '../../../../test/taught-agent.ts';
import { rollUpAll } from '../insight/rollup.ts';
import { readQuestions } from './read-questions.ts';

/** With models available: drafts and names by a chat model, and similarity by an embedding model. */

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;
let id: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['I do not ', 'know.'] });
  product = await startProduct({
    billing: { mode: 'on', plans },
    providers: { openai: provider.openai },
    embedding: {
      provider: 'openai',
      model: 'stand-in',
      apiKey: 'sk-test',
      baseUrl: provider.baseUrl,
      dimensions: 64,
      weight: 0.2,
      support: 0.85,
    },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  id = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const text = 'Refunds are paid to the card that was used. The shop is open from nine to five.';
  await ada.knowledge.create({ id, organizationId, type: 'text', description: 'Shop', text });
  await untilReady(ada, id);
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const ask = async (who: string, texts: string[]) => {
  const client = product.as(who);
  const { conversation } = await client.chat.create({ chatbotId: id });
  for (const text of texts) await client.chat.send({ id: conversation.id, text });
  return conversation.id;
};

const creditsUsed = async () => (await ada.billing.getUsage({ organizationId })).usage.credits.used;

test('a model drafts from the passages for a credit, says nothing where they hold nothing, and names topics', async () => {
  await ask('bob', ['Is the bike insured?']);
  await ask('cleo', ['Is my bicycle insured?']);
  await ask('dan', ['velocipede insured?']);
  await readQuestions(product.app.deps);
  const { clusters } = await ada.improvement.listClusters({ id });
  expect(clusters.map(({ count }) => count)).toEqual([3]);
  const clusterId = clusters[0]?.id ?? '';
  const before = await creditsUsed();
  provider.script = { pieces: ['Yes, for ', 'a year.'] };
  expect(await ada.improvement.draftAnswer({ id, clusterId })).toEqual({
    answer: 'Yes, for a year.',
    by: 'model',
  });
  expect(await creditsUsed()).toBe(before + 1);
  const sent = provider.requests.at(-1)?.messages.at(-1)?.content ?? '';
  expect(sent).toContain('insured');
  expect(sent).toContain('<passage');
  provider.script = { pieces: ['NOTHING'] };
  expect(await ada.improvement.draftAnswer({ id, clusterId })).toEqual({ answer: '', by: 'nobody' });
  provider.script = { pieces: [], status: 500 };
  const held = await creditsUsed();
  await expect(ada.improvement.draftAnswer({ id, clusterId })).rejects.toMatchObject({ status: 503 });
  expect(await creditsUsed()).toBe(held);

  provider.script = { pieces: ['1: Bicycle insurance'] };
  expect(await ada.improvement.nameTopics({ id })).toEqual({ named: 1 });
  await readQuestions(product.app.deps);
  const { topics } = await ada.improvement.listTopics({ id });
  expect(topics.map(({ name, named }) => [name, named])).toEqual([['Bicycle insurance', 'model']]);
  const { entries } = await ada.audit.list({ organizationId, count: 1 });
  expect(entries).toMatchObject([{ action: 'improvement.nameTopics', targetId: id, after: { named: 1 } }]);
});

test('a weak answer counts as none, a question builds on the previous one, and both find conversations', async () => {
  provider.script = { pieces: ['Perhaps.'] };
  const weak = await ask('eve', ['Do you sell zeppelins and gliders?', 'And on Mondays?']);
  const other = await ask('fay', ['When is the shop open?']);
  const findWeak = async () => {
    await readQuestions(product.app.deps);
    const which = { confidenceBelow: 0.4, unanswered: 'true' } as const;
    return (await ada.endUser.listConversations({ id, ...which })).conversations.map((each) => each.id);
  };
  await expect.poll(findWeak, { timeout: 60_000 }).toContain(weak);
  const { rows } = await product.app.deps.db.owner.query<{ terms: Record<string, number>; why: string }>(
    `select terms, why from question where conversation_id = $1 order by asked_at`,
    [weak],
  );
  expect(rows.map(({ why }) => why)).toEqual(['weak', 'weak']);
  expect(rows[1]?.terms['zeppelin']).toBe(0.5);
  const found = async (filters: object) =>
    (await ada.endUser.listConversations({ id, ...filters })).conversations.map((each) => each.id);
  expect(await found({ unanswered: 'true' })).not.toContain(other);
  await rollUpAll(product.app.deps);
  expect(await found({ language: 'en' })).toContain(other);
  expect(await found({ language: 'de' })).toEqual([]);
  expect(await found({ from: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  expect(await found({ to: new Date(Date.now() - 3_600_000).toISOString() })).toEqual([]);
  expect(await found({ to: new Date(Date.now() + 60_000).toISOString(), count: 1 })).toEqual([other]);
});

test('a question that the embedding model rejects does not keep others from being grouped', async () => {
  provider.script = { pieces: ['I do not ', 'know.'] };
  provider.embedding = { refused: 'gibberish' };
  const asked = ['Where is the hound kennel?', 'What gibberish is this?', 'Which canine kennel?'];
  for (const text of asked) await ask('finn', [text]);
  const withoutVector = async () => {
    // The product may be reading them itself at that moment; this call then skips them.
    await readQuestions(product.app.deps);
    const { rows } = await product.app.deps.db.owner.query<{ text: string }>(
      'select text from question where agent_id = $1 and text = any($2) and vector is null',
      [id, asked],
    );
    return rows;
  };
  await expect.poll(withoutVector).toEqual([{ text: asked[1] }]);
  // It isn't requested over and over.
  const timesAsked = () =>
    provider.embeddingRequests.filter(({ input }) => input.includes(asked[1] ?? '')).length;
  const before = timesAsked();
  await ask('finn', ['Any puppy kennel?']);
  await readQuestions(product.app.deps);
  expect(timesAsked()).toBe(before);
  provider.embedding = {};
});
