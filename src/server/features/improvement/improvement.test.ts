import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { untilReady } from '../../../../test/taught-agent.ts';
import { readQuestions } from './read-questions.ts';

let product: Product;
let ada: TestClient;
let organizationId: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

/** An agent that knows when the shop is open, and nothing else. */
async function agent(): Promise<{ id: string }> {
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const text = 'The shop in Zürich is open from nine to five on weekdays.';
  await ada.knowledge.create({ id, organizationId, type: 'text', description: 'Opening hours', text });
  await untilReady(ada, id);
  return { id };
}

async function talk(who: string, id: string, texts: string[], options: { temporary?: boolean } = {}) {
  const client = product.as(who);
  const { conversation } = await client.chat.create({ chatbotId: id, ...options });
  for (const text of texts) await client.chat.send({ id: conversation.id, text });
  return { client, id: conversation.id };
}

/** Including grouping that would pause for a moment after the last time. */
async function read(): Promise<void> {
  const { db } = product.app.deps;
  const countDue = async () => {
    await readQuestions(product.app.deps);
    return (await db.owner.query('select from question_reading where is_due')).rows.length;
  };
  await expect.poll(countDue, { timeout: 60_000 }).toBe(0);
}

const clustersOf = async (id: string, state: 'open' | 'answered' | 'dismissed' = 'open') =>
  (await ada.improvement.listClusters({ id, state })).clusters;

test('unanswerable questions are grouped; answerable ones and small talk are not', async () => {
  const { id } = await agent();
  await talk('bob', id, ['Hello', 'When is the shop open?', 'Do you ship parcels to Norway?']);
  await talk('cleo', id, ['Can you ship a parcel to Norway?', 'Thank you ❤️']);
  await talk('dan', id, ['Do you repair violins?']);
  await talk('eve', id, ['Do you ship parcels to Norway?'], { temporary: true });
  await read();
  const clusters = await clustersOf(id);
  expect(clusters.map(({ count }) => count)).toEqual([2, 1]);
  expect(clusters[0]?.title).toMatch(/Norway/);
  expect(clusters[0]?.languages).toEqual(['en']);
  const { samples } = await ada.improvement.getCluster({ id, clusterId: clusters[0]?.id ?? '' });
  expect(samples.map(({ why }) => why)).toEqual(['refused', 'refused']);
  // Repeated, and concurrently, the result is the same.
  await Promise.all([read(), read(), read()]);
  expect(await clustersOf(id)).toEqual(clusters);
});

test('an answer rated down or followed by a request for a person counts as none, until the rating is withdrawn', async () => {
  const { id } = await agent();
  const bob = await talk('bob', id, ['When is the shop open?']);
  const messageId = (await bob.client.chat.listMessages({ id: bob.id })).messages.at(-1)?.id ?? '';
  await read();
  expect(await clustersOf(id)).toEqual([]);
  await bob.client.answer.rate({ id: bob.id, messageId, rating: 'down' });
  await read();
  const [disliked] = await clustersOf(id);
  const sampled = await ada.improvement.getCluster({ id, clusterId: disliked?.id ?? '' });
  expect(sampled.samples.map(({ why, text }) => [why, text])).toEqual([
    ['disliked', 'When is the shop open?'],
  ]);
  expect(sampled.passages[0]?.text).toMatch(/nine to five/);
  await bob.client.answer.rate({ id: bob.id, messageId, rating: null });
  await read();
  expect(await clustersOf(id)).toEqual([]);
  await bob.client.handover.ask({ id: bob.id, reason: '' });
  await read();
  const [wanted] = await clustersOf(id);
  const { samples } = await ada.improvement.getCluster({ id, clusterId: wanted?.id ?? '' });
  expect(samples.map(({ why }) => why)).toEqual(['handover']);
});

test('an approved answer is used for the next question, even in other words, is tested, and repeats are counted', async () => {
  const { id } = await agent();
  await talk('bob', id, ['Do you ship parcels to Norway?']);
  await talk('cleo', id, ['Can you ship a parcel to Norway?']);
  await read();
  const [cluster] = await clustersOf(id);
  const clusterId = cluster?.id ?? '';
  const draft = await ada.improvement.draftAnswer({ id, clusterId });
  expect(draft.by).not.toBe('model');
  const pair = {
    question: 'Do you ship parcels to Norway?',
    answer: 'Yes, parcels reach Norway in six days.',
  };
  const { cluster: approved } = await ada.improvement.approveAnswer({ id, clusterId, ...pair });
  expect(approved).toMatchObject({ state: 'answered', answer: { askedAgain: 0, answeredAgain: 0 } });
  await untilReady(ada, id);
  const dan = await talk('dan', id, ['Could you ship my parcel to Norway?']);
  const { messages } = await dan.client.chat.listMessages({ id: dan.id });
  expect(messages.at(-1)?.text).toMatch(/six days/);
  const disliking = await talk('eve', id, ['Do you ship parcels to Norway?']);
  const answer = (await disliking.client.chat.listMessages({ id: disliking.id })).messages.at(-1);
  await disliking.client.answer.rate({ id: disliking.id, messageId: answer?.id ?? '', rating: 'down' });
  await read();
  expect((await clustersOf(id, 'answered'))[0]?.answer).toMatchObject({ askedAgain: 2, answeredAgain: 1 });
  expect(await clustersOf(id)).toEqual([]);

  const { testSets } = await ada.testSet.list({ id, organizationId });
  const set = { id, organizationId, testSetId: testSets[0]?.id ?? '' };
  expect((await ada.testSet.get(set)).cases.map(({ question }) => question)).toEqual([pair.question]);
  const { run } = await ada.testSet.run(set);
  await expect
    .poll(async () => (await ada.testSet.getRun({ ...set, runId: run.id })).run.state, { timeout: 60_000 })
    .toBe('done');
  expect((await ada.testSet.getRun({ ...set, runId: run.id })).run).toMatchObject({ passed: 1, failed: 0 });

  // Reopened and answered differently, it is the same pair and the same test.
  await ada.improvement.reopenCluster({ id, clusterId });
  await ada.improvement.approveAnswer({
    id,
    clusterId,
    question: pair.question,
    answer: 'Yes, in four days.',
  });
  await untilReady(ada, id);
  const pairs = (await ada.knowledge.list({ id })).allKnowledge.filter(({ type }) => type === 'qa');
  expect(pairs).toHaveLength(1);
  const { knowledge } = await ada.knowledge.get({ id, knowledgeId: pairs[0]?.id ?? '' });
  expect(knowledge.text).toBe('Yes, in four days.');
  expect((await ada.testSet.get(set)).cases).toHaveLength(1);

  // For a long question, the test has the beginning, wherever that ends.
  await ada.improvement.reopenCluster({ id, clusterId });
  const long = { question: `${'Parcels'.padEnd(119, '.')}📦 to Norway?`, answer: 'Yes.' };
  await ada.improvement.approveAnswer({ id, clusterId, ...long });
  expect((await ada.testSet.get(set)).cases[0]?.question).toBe(long.question);
});

test('a dismissed question stays dismissed when asked again, and can be reopened', async () => {
  const { id } = await agent();
  await talk('bob', id, ['Do you repair violins?']);
  await read();
  const [{ id: clusterId } = { id: '' }] = await clustersOf(id);
  await ada.improvement.dismissCluster({ id, clusterId, reason: 'Not our trade.' });
  await talk('cleo', id, ['Can you repair my violin?']);
  await read();
  expect(await clustersOf(id)).toEqual([]);
  const [dismissed] = await clustersOf(id, 'dismissed');
  expect(dismissed).toMatchObject({ id: clusterId, count: 2, reason: 'Not our trade.' });
  await ada.improvement.reopenCluster({ id, clusterId });
  expect((await clustersOf(id)).map((each) => each.id)).toEqual([clusterId]);
});

test('nothing is left of the words of a deleted conversation', async () => {
  const { id } = await agent();
  const bob = await talk('bob', id, ['Do you sell zeppelins?']);
  await talk('cleo', id, ['Do you sell any zeppelins?']);
  await read();
  const [before] = await clustersOf(id);
  expect(before?.count).toBe(2);
  await bob.client.history.remove({ id: bob.id });
  const [after] = await clustersOf(id);
  expect(after).toMatchObject({ count: 1, title: 'Do you sell any zeppelins?' });
  await product.app.deps.db.owner.query('delete from conversation where id = $1', [bob.id]);
  const { rows } = await product.app.deps.db.owner.query('select from question where conversation_id = $1', [
    bob.id,
  ]);
  expect(rows).toHaveLength(0);
});

test('topics hold what is asked about, and keep the name and questions that a member gave them', async () => {
  const { id } = await agent();
  const asked = {
    delivery: [
      'Do you ship parcels to Norway?',
      'Can you ship a parcel to Peru?',
      'How much is it to ship a parcel?',
    ],
    violins: ['Do you repair violins?', 'What does it cost to repair a violin?', 'Is my violin repaired?'],
  };
  for (const [at, text] of Object.values(asked).flat().entries()) await talk(`person${at}`, id, [text]);
  await read();
  const { topics, questions } = await ada.improvement.listTopics({ id });
  expect(questions).toBe(6);
  expect(topics.map(({ count, share, named }) => [count, share, named])).toEqual([
    [3, 0.5, 'words'],
    [3, 0.5, 'words'],
  ]);
  const names = topics.map(({ name }) => name.toLowerCase());
  expect(names.some((name) => name.includes('violin'))).toBe(true);
  const violins = topics.find(({ name }) => /violin/i.test(name));
  const parcels = topics.find(({ id: other }) => other !== violins?.id);
  await ada.improvement.updateTopic({ id, topicId: violins?.id ?? '', name: 'Instruments', frozen: true });
  await talk('another', id, ['Who can repair a violin?']);
  await read();
  expect((await ada.improvement.listTopics({ id })).topics[0]).toMatchObject({
    id: violins?.id,
    name: 'Instruments',
    named: 'member',
    frozen: true,
    count: 4,
  });
  const found = await ada.endUser.listConversations({ id, topicId: violins?.id });
  expect(found.conversations).toHaveLength(4);
  await ada.improvement.mergeTopic({ id, topicId: parcels?.id ?? '', intoId: violins?.id ?? '' });
  await read();
  expect((await ada.improvement.listTopics({ id })).topics.map(({ count }) => count)).toEqual([7]);
  const { entries } = await ada.audit.list({ organizationId, count: 2 });
  expect(entries.map(({ action }) => action)).toEqual(['improvement.mergeTopic', 'improvement.updateTopic']);
  // What people asked may have to be erased.
  expect(JSON.stringify(entries)).not.toMatch(/violin|ship|parcel/i);
  expect(JSON.stringify(entries)).toContain('Instruments');
});
