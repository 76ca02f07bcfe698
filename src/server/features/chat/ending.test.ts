import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { plans } from '../../../contract/plans.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { join } from '../../../../test/join.ts';
import { bearing, visit } from '../../../../test/visit.ts';

/** What ends an answer in progress, and what doesn't. */

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: [] });
  product = await startProduct({
    billing: { mode: 'on', plans: { ...plans, FREE_PLAN: { ...plans.FREE_PLAN, agents: 50, members: 50 } } },
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
});
beforeEach(() => {
  provider.script = { pieces: Array.from({ length: 60 }, () => 'word '), betweenPiecesMs: 50 };
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const newAgent = async () => (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;

/** An answer with some output so far; `done` is its outcome. */
async function answering(client: TestClient, chatbotId: string) {
  const { id } = (await client.chat.create({ chatbotId })).conversation;
  const done = client.chat.send({ id, text: 'Go on.' }).then(
    ({ answer }) => answer.state,
    () => 'gone',
  );
  await expect
    .poll(async () => (await client.chat.listMessages({ id })).messages[1]?.state)
    .toBe('streaming');
  return { id, done };
}

const credits = async () => (await ada.billing.getUsage({ organizationId })).usage.credits;

test('deleting a conversation ends its answer', async () => {
  const { id, done } = await answering(ada, await newAgent());
  await ada.history.remove({ id });
  expect(await done).toBe('stopped');
  await ada.history.restore({ id });
  expect((await ada.chat.listMessages({ id })).messages[1]).toMatchObject({ state: 'stopped' });
});

test('an agent that is deleted for good holds no credit', async () => {
  const before = await credits();
  const id = await newAgent();
  const { done } = await answering(ada, id);
  await ada.chatbot.remove({ id, organizationId, permanently: true });
  await done;
  const { rows } = await product.app.deps.db.owner.query(
    'select reserved, used from credit_usage where organization_id = $1',
    [organizationId],
  );
  expect(rows).toEqual([{ reserved: 0, used: before.used }]);
});

test('changes to members and other agents end no answer to an API client or in a widget', async () => {
  const [kept, open, other] = [await newAgent(), await newAgent(), await newAgent()];
  await ada.chatbot.update({ id: kept, organizationId, isPublic: false });
  await ada.chatbot.update({ id: other, organizationId, isPublic: true });
  const { apiKey } = await ada.visitor.rotateApiKey({ id: kept });
  const { memberId } = await join(product, ada, 'eve', { organizationId, role: 'viewer' });
  const [program, visitor] = [
    await answering(bearing(product, apiKey), kept),
    await answering(bearing(product, (await visit(product, open)).token), open),
  ];
  await ada.member.remove({ id: memberId });
  await ada.chatbot.update({ id: other, organizationId, isPublic: false });
  expect(await Promise.all([program.done, visitor.done])).toEqual(['complete', 'complete']);
});

test('an agent that becomes private ends its answers to site visitors, but none to an API client', async () => {
  const id = await newAgent();
  const { apiKey } = await ada.visitor.rotateApiKey({ id });
  await ada.chatbot.update({ id, organizationId, isPublic: true });
  const [program, visitor] = [
    await answering(bearing(product, apiKey), id),
    await answering(bearing(product, (await visit(product, id)).token), id),
  ];
  await ada.chatbot.update({ id, organizationId, isPublic: false });
  expect(await Promise.all([program.done, visitor.done])).toEqual(['complete', 'stopped']);
});
