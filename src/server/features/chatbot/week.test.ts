import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

let product: Product;
let ada: TestClient;
let of: { id: string; organizationId: string };

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  const { chatbot } = await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  of = { id: chatbot.id, organizationId: organization.id };
  await ada.chatbot.update({ ...of, enableKnowledgeBaseMode: true });
  const text = { type: 'text' as const, description: 'Hours', text: 'The shop is open from nine to five.' };
  const { knowledge } = await ada.knowledge.create({ ...of, ...text });
  const item = { id: of.id, knowledgeId: knowledge.id };
  await vi.waitUntil(
    async () => (await ada.knowledge.get(item)).knowledge.progress.state === 'ready',
    60_000,
  );
});
afterAll(() => product.close());

const hours = 'When is the shop open?';
const other = 'How do I repair a bicycle?';

async function talk(person: TestClient, questions: string[], version?: 'draft') {
  const { conversation } = await person.chat.create({ chatbotId: of.id, ...(version && { version }) });
  const answers = [];
  for (const text of questions) answers.push((await person.chat.send({ id: conversation.id, text })).answer);
  return { id: conversation.id, answers };
}

const nothing = {
  conversations: 0,
  people: 0,
  questions: 0,
  answered: 0,
  unanswered: 0,
  broken: 0,
  answerRate: null,
  ratedUp: 0,
  ratedDown: 0,
};

test('a week counts who asked what and how it was answered, without members’ trials', async () => {
  expect(await ada.chatbot.week(of)).toEqual({ week: nothing, before: nothing });
  const bob = product.as('bob', 'guest');
  const { id, answers } = await talk(bob, [hours, other, hours]);
  await talk(bob, [hours]);
  await talk(product.as('eve', 'guest'), [other]);
  await talk(ada, [hours], 'draft');
  await bob.answer.rate({ id, messageId: answers[0]?.id ?? '', rating: 'down', reason: 'wrong' });
  await bob.answer.rate({ id, messageId: answers[2]?.id ?? '', rating: 'up' });
  const { owner } = product.app.deps.db;
  await owner.query(`update message set state = 'incomplete' where id = $1`, [answers[2]?.id]);
  expect((await ada.chatbot.week(of)).week).toEqual({
    conversations: 3,
    people: 2,
    questions: 5,
    answered: 2,
    unanswered: 2,
    broken: 1,
    answerRate: 2 / 5,
    ratedUp: 1,
    ratedDown: 1,
  });

  // As if all of it had been said eight days ago, and some of it changed since.
  await owner.query(`update message set created_at = created_at - interval '8 days'`);
  await owner.query(`update conversation set updated_at = now()`);
  const { week, before } = await ada.chatbot.week(of);
  expect(week).toEqual(nothing);
  expect(before).toMatchObject({ conversations: 3, people: 2, answered: 2 });
});

test('a week equals that of the insights in the same time zone', async () => {
  const { owner } = product.app.deps.db;
  const timeZone = 'Pacific/Kiritimati';
  // Six days ago: on the first of the seven days, wherever they start.
  await owner.query(`update message set created_at = created_at + interval '2 days'`);
  await owner.query(`update conversation set updated_at = now()`);
  const { week, before } = await ada.chatbot.week({ ...of, timeZone });
  const { insight } = await ada.insight.get({ agentId: of.id, period: '7d', timeZone });
  for (const [ours, theirs] of [
    [week, insight.now],
    [before, insight.before],
  ] as const)
    expect(ours).toEqual({
      conversations: theirs.conversations,
      people: theirs.people,
      questions: theirs.messages,
      answered: theirs.answered,
      unanswered: theirs.unanswered,
      broken: theirs.failed,
      answerRate: theirs.answerRate,
      ratedUp: theirs.ratedUp,
      ratedDown: theirs.ratedDown,
    });
  expect(week.questions).toBe(5);
});
