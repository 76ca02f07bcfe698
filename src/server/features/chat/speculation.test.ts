import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { VISITOR_MESSAGES_MAX } from '../../../contract/limits.ts';
import { plans } from '../../../contract/plans.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';

/** Turns whose model is asked while they are still being taken. */

const CREDITS = 3;
const RICH = 1000;
let product: Product;
let provider: Provider;
let ada: TestClient;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes', '.'] });
  product = await startProduct({
    billing: {
      mode: 'on',
      plans: {
        ...plans,
        FREE_PLAN: { ...plans.FREE_PLAN, creditsAMonth: CREDITS },
        PRO: { ...plans.PRO, creditsAMonth: RICH },
      },
    },
    providers: { openai: provider.openai },
  });
  ada = product.as('ada');
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

// The test before has crowded nobody.
beforeEach(() => sleep(150));

const query = (text: string, values: unknown[] = []) => product.app.deps.db.owner.query(text, values);

async function makeAgent({ isRich = false } = {}) {
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  if (isRich) await query(`update organization set plan_type = 'PRO' where id = $1`, [organizationId]);
  const agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  return { organizationId, agentId };
}

const beginWith = async (client: TestClient, chatbotId: string) =>
  (await client.chat.create({ chatbotId })).conversation.id;

const askedModels = (text: string) =>
  provider.requests.filter(({ messages }) => JSON.stringify(messages).includes(text)).length;

async function usageOf(organizationId: string) {
  const { rows } = await query('select used, reserved from credit_usage where organization_id = $1', [
    organizationId,
  ]);
  return rows;
}

/** While somebody else spends so many credits of an organization, nobody takes any. */
async function whileSpending(
  credits: number,
  organizationId: string,
  work: () => Promise<void>,
): Promise<void> {
  const holder = await product.app.deps.db.owner.connect();
  try {
    await holder.query('begin');
    await holder.query('update credit_usage set used = used + $2 where organization_id = $1', [
      organizationId,
      credits,
    ]);
    await work();
    await holder.query('commit');
  } finally {
    holder.release();
  }
}

test('a model is called while its turn waits for a credit, and nothing is revealed before it has one', async () => {
  const { organizationId, agentId } = await makeAgent({ isRich: true });
  const id = await beginWith(ada, agentId);
  // Only what is known to be ample is speculated with.
  for (const text of ['First?', 'Second?']) await ada.chat.send({ id, text });
  let sent: ReturnType<TestClient['chat']['send']> | undefined;
  let isTold = false;
  await whileSpending(0, organizationId, async () => {
    sent = ada.chat.send({ id, text: 'Third?' }).finally(() => (isTold = true));
    await expect.poll(() => askedModels('Third?')).toBe(1);
    await sleep(100);
    expect(isTold).toBe(false);
    expect((await ada.chat.listMessages({ id })).messages).toHaveLength(4);
  });
  const answered = await sent;
  const { messages } = await ada.chat.listMessages({ id });
  expect(messages.slice(-2)).toEqual([answered?.message, answered?.answer]);
  expect(await usageOf(organizationId)).toEqual([{ used: 3, reserved: 0 }]);
});

test('without credits left no model is called, and nothing is stored or charged', async () => {
  const { organizationId, agentId } = await makeAgent();
  const id = await beginWith(ada, agentId);
  for (let credit = 0; credit < CREDITS; credit += 1) await ada.chat.send({ id, text: 'Well?' });
  const other = await beginWith(ada, agentId);
  for (const conversation of [id, other, id, other])
    await expect(ada.chat.send({ id: conversation, text: 'One more?' })).rejects.toMatchObject({
      status: 402,
      code: 'quota/exceeded',
    });
  expect(askedModels('One more?')).toBe(0);
  expect((await ada.chat.listMessages({ id })).messages).toHaveLength(2 * CREDITS);
  expect((await ada.chat.listMessages({ id: other })).messages).toEqual([]);
  expect(await usageOf(organizationId)).toEqual([{ used: CREDITS, reserved: 0 }]);
  // As soon as there are credits again, it goes on.
  await query(`update organization set plan_type = 'PRO' where id = $1`, [organizationId]);
  expect((await ada.chat.send({ id: other, text: 'And now?' })).answer?.text).toBe('Yes.');
});

test('no model is called for a guest over their limit', async () => {
  const { organizationId, agentId } = await makeAgent({ isRich: true });
  const guest = product.as('somebody', 'guest');
  const id = await beginWith(guest, agentId);
  for (let message = 0; message < VISITOR_MESSAGES_MAX; message += 1)
    await guest.chat.send({ id, text: 'Well?' });
  for (let message = 0; message < 3; message += 1)
    await expect(guest.chat.send({ id, text: 'Too much?' })).rejects.toMatchObject({
      status: 429,
      code: 'request/rate-limited',
    });
  expect(askedModels('Too much?')).toBe(0);
  expect((await guest.chat.listMessages({ id, count: 100 })).messages).toHaveLength(2 * VISITOR_MESSAGES_MAX);
  expect(await usageOf(organizationId)).toEqual([{ used: VISITOR_MESSAGES_MAX, reserved: 0 }]);
});

test('when the credits are spent elsewhere a model is called in vain, once, and nothing is stored or charged', async () => {
  const { organizationId, agentId } = await makeAgent({ isRich: true });
  const id = await beginWith(ada, agentId);
  for (const text of ['First?', 'Second?']) await ada.chat.send({ id, text });
  const refusal = { status: 402, code: 'quota/exceeded' };
  let refused: Promise<void> | undefined;
  await whileSpending(RICH, organizationId, async () => {
    refused = expect(ada.chat.send({ id, text: 'In vain?' })).rejects.toMatchObject(refusal);
    await expect.poll(() => askedModels('In vain?')).toBe(1);
  });
  await refused;
  await expect(ada.chat.send({ id, text: 'In vain?' })).rejects.toMatchObject(refusal);
  expect(askedModels('In vain?')).toBe(1);
  expect((await ada.chat.listMessages({ id })).messages).toHaveLength(4);
  expect(await usageOf(organizationId)).toEqual([{ used: RICH + 2, reserved: 0 }]);
  await query('update credit_usage set used = 2 where organization_id = $1', [organizationId]);
  expect((await ada.chat.send({ id, text: 'And now?' })).answer?.text).toBe('Yes.');
});

test('a turn that the database rejects once is retried, once', async () => {
  const { organizationId, agentId } = await makeAgent({ isRich: true });
  const id = await beginWith(ada, agentId);
  for (const text of ['First?', 'Second?']) await ada.chat.send({ id, text });
  await query(`create sequence refusals; grant usage on sequence refusals to public;
    create function refuse_once() returns trigger language plpgsql as $$
      begin if nextval('refusals') = 1 then raise exception 'not now'; end if; return new; end $$;
    create trigger refuse_once before insert on message for each row execute function refuse_once()`);
  try {
    expect((await ada.chat.send({ id, text: 'Refused?' })).answer?.text).toBe('Yes.');
  } finally {
    await query('drop function refuse_once cascade; drop sequence refusals');
  }
  expect(askedModels('Refused?')).toBeLessThanOrEqual(2);
  const { messages } = await ada.chat.listMessages({ id });
  expect(messages.map(({ text, state }) => [text, state])).toEqual([
    ['First?', 'complete'],
    ['Yes.', 'complete'],
    ['Second?', 'complete'],
    ['Yes.', 'complete'],
    ['Refused?', 'complete'],
    ['Yes.', 'complete'],
  ]);
  expect(await usageOf(organizationId)).toEqual([{ used: 3, reserved: 0 }]);
});
