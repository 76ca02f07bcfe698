import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApp, type App } from '../../app.ts';
import { createLog } from '../../log.ts';
import type { AddressInfo } from 'node:net';
import { plans } from '../../../contract/plans.ts';
import { connect, startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { sql } from 'drizzle-orm';
import { monthIn, monthOf } from '../../access/credits.ts';
import type { Tx } from '../../db/scope.ts';
import { holdCredit, keepCredit, returnCredit, returnForgotten } from './hold-store.ts';

const LIMIT = 100;
let product: Product;
let provider: Provider;
let other: App;
let otherUrl: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes.'] });
  const billing = {
    mode: 'on' as const,
    plans: { ...plans, FREE_PLAN: { ...plans.FREE_PLAN, creditsAMonth: LIMIT } },
  };
  product = await startProduct({
    billing,
    providers: { openai: provider.openai },
  });
  const { config } = product.app.deps;
  other = await createApp({ ...config, databaseUrl: product.databaseUrl }, createLog(config));
  await other.http.listen({ host: '127.0.0.1', port: 0 });
  otherUrl = `http://127.0.0.1:${(other.http.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await other.close();
  await product.close();
  await provider.close();
});

async function makeAgent(name: string) {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name })).organization.id;
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  const credits = async () => (await ada.billing.getUsage({ organizationId })).usage.credits;
  return { agentId: chatbot.id, organizationId, credits };
}

test('a server whose clock is in another month than the database’s counts in the month when the answer began', async () => {
  const { agentId, organizationId } = await makeAgent('Elsewhen');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * 86_400_000 });
  try {
    const early = product.as('early', 'guest');
    const { conversation } = await early.chat.create({ chatbotId: agentId });
    await early.chat.send({ id: conversation.id, text: 'Well?' });
  } finally {
    vi.useRealTimers();
  }
  const { rows } = await product.app.deps.db.owner.query(
    `select month = to_char(now() at time zone 'UTC', 'YYYY-MM') as "isNow", used, reserved from credit_usage where organization_id = $1`,
    [organizationId],
  );
  expect(rows).toEqual([{ isNow: true, used: 1, reserved: 0 }]);
});

test('200 concurrent sends on a quota of 100, over two servers, give exactly 100 answers', async () => {
  const { agentId, credits } = await makeAgent('Crowd');
  const { idToken } = await product.sessionOf('ada');
  const ada = product.as('ada');
  const elsewhere = connect({ baseUrl: otherUrl, token: () => idToken });
  const conversations: string[] = [];
  for (let index = 0; index < 200; index += 1)
    conversations.push((await ada.chat.create({ chatbotId: agentId })).conversation.id);
  const results = await Promise.allSettled(
    conversations.map((id, index) => (index % 2 === 0 ? ada : elsewhere).chat.send({ id, text: 'Well?' })),
  );
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.answer] : []));
  expect(answers.filter(({ state, text }) => state === 'complete' && text === 'Yes.')).toHaveLength(LIMIT);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ status: 402, code: 'quota/exceeded' });
  expect(await credits()).toEqual({ used: LIMIT, reserved: 0, limit: LIMIT, bonus: 0, bonusLeft: 0 });
  // Rejected requests left nothing behind.
  const refused = conversations.filter((_, index) => results[index]?.status === 'rejected');
  expect((await ada.chat.listMessages({ id: refused[0] ?? '' })).messages).toEqual([]);
});

test('guests asking concurrently as credits run out get exactly the remaining answers, each counted once', async () => {
  const { agentId, organizationId, credits } = await makeAgent('Guests');
  const { owner } = product.app.deps.db;
  const left = 3;
  await owner.query(
    `insert into credit_usage (organization_id, month, used) values ($1, to_char(now() at time zone 'UTC', 'YYYY-MM'), $2)`,
    [organizationId, LIMIT - left],
  );
  const guests = Array.from({ length: 8 }, (_, index) => product.as(`guest ${index}`, 'guest'));
  const begun = await Promise.all(
    guests.map(async (guest) => ({
      guest,
      id: (await guest.chat.create({ chatbotId: agentId })).conversation.id,
    })),
  );
  const counted = async () =>
    (await owner.query<{ taken: number }>('select sum(cardinality(taken_at))::int as taken from allowance'))
      .rows[0]?.taken ?? 0;
  const before = await counted();
  const results = await Promise.allSettled(
    begun.map(({ guest, id }) => guest.chat.send({ id, text: 'Well?' })),
  );
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'quota/exceeded' });
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(left);
  expect(await credits()).toMatchObject({ used: LIMIT, reserved: 0 });
  expect((await counted()) - before).toBe(guests.length);
});

test('an answer that fails, is stopped before its first word, or says that there is none costs nothing', async () => {
  const { agentId, organizationId, credits } = await makeAgent('Careful');
  const ada = product.as('ada');
  const id = (await ada.chat.create({ chatbotId: agentId })).conversation.id;

  provider.script = { pieces: [], status: 401 };
  expect((await ada.chat.send({ id, text: 'Well?' })).answer.state).toBe('failed');
  expect(await credits()).toMatchObject({ used: 0, reserved: 0 });

  provider.script = { pieces: ['Half ', 'of it'], betweenPiecesMs: 20, cutAfter: 1 };
  expect((await ada.chat.retry({ id })).answer.state).toBe('incomplete');
  expect(await credits()).toMatchObject({ used: 0, reserved: 0 });

  provider.script = { pieces: ['Late.'], firstPieceAfterMs: 2000 };
  const stopped = ada.chat.send({ id, text: 'Now?' });
  await expect.poll(async () => (await credits()).reserved).toBe(1);
  await ada.chat.stop({ id });
  expect((await stopped).answer).toMatchObject({ state: 'stopped', text: '' });
  expect(await credits()).toMatchObject({ used: 0, reserved: 0 });

  await product.as('ada').chatbot.update({ id: agentId, organizationId, fallbackMessage: 'Ask us by mail.' });
  provider.script = { pieces: ['Ask us ', 'by mail.'] };
  expect((await ada.chat.send({ id, text: 'Who am I?' })).answer.text).toBe('Ask us by mail.');
  expect(await credits()).toMatchObject({ used: 0, reserved: 0 });

  provider.script = { pieces: ["I don't ", 'know.'] };
  expect((await ada.chat.send({ id, text: 'Who are you?' })).answer.text).toBe("I don't know.");
  expect(await credits()).toMatchObject({ used: 0, reserved: 0 });

  provider.script = { pieces: ['Indeed.'] };
  await ada.chat.send({ id, text: 'Is it?' });
  expect(await credits()).toMatchObject({ used: 1, reserved: 0 });
});

test('a held credit is kept or returned once, to the month it was taken from, even after that month', async () => {
  const { organizationId, credits } = await makeAgent('Midnight');
  const { db, config } = product.app.deps;
  const inScope = <T>(act: (tx: Tx) => Promise<T>) => db.in({ organizationId }, act);
  const hold = async () => {
    const held = await inScope((tx) => holdCredit(tx, config, organizationId));
    if (!held) throw new Error('Nothing is counted.');
    return held;
  };
  const over = '2020-01';
  const usedThen = async () =>
    (
      await db.owner.query('select used from credit_usage where organization_id = $1 and month = $2', [
        organizationId,
        over,
      ])
    ).rows[0];
  await db.owner.query('insert into credit_usage (organization_id, month, used) values ($1, $2, 5)', [
    organizationId,
    over,
  ]);
  const old = await hold();
  const [kept, other] = [await hold(), await hold()];
  expect(await credits()).toMatchObject({ used: 3 });
  await db.owner.query('update credit_hold set month = $1 where id = $2', [over, old.id]);

  await inScope((tx) => returnCredit(tx, old));
  await inScope((tx) => returnCredit(tx, old));
  expect(await usedThen()).toEqual({ used: 4 });
  await inScope((tx) => keepCredit(tx, kept));
  await inScope((tx) => returnCredit(tx, kept));
  expect(await credits()).toMatchObject({ used: 3 });
  await inScope((tx) => returnCredit(tx, other));
  expect(await credits()).toMatchObject({ used: 2 });
});

test('a process that dies while a model writes takes no credit with it', async () => {
  const { organizationId, credits } = await makeAgent('Dying');
  const { db, config } = product.app.deps;
  const hold = () => db.in({ organizationId }, (tx) => holdCredit(tx, config, organizationId));
  const [left] = [await hold(), await hold(), await hold()];
  const under = await hold();
  await db.owner.query(
    `update credit_hold set created_at = now() - interval '61 minutes' where organization_id = $1 and id <> $2`,
    [organizationId, under?.id],
  );
  expect(await credits()).toMatchObject({ used: 4 });
  await returnForgotten(db);
  await returnForgotten(db);
  expect(await credits()).toMatchObject({ used: 1 });
  // A holder that was only slow gets it for free, and takes nothing else with it.
  if (left) await db.in({ organizationId }, (tx) => returnCredit(tx, left));
  expect(await credits()).toMatchObject({ used: 1 });
});

test('without limits nothing is counted', async () => {
  const free = await startProduct();
  try {
    const ada = free.as('ada');
    const organizationId = (await ada.organization.create({ name: 'Free' })).organization.id;
    const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
    const { conversation } = await ada.chat.create({ chatbotId: chatbot.id });
    await ada.chat.send({ id: conversation.id, text: 'Well?' });
    const { usage } = await ada.billing.getUsage({ organizationId });
    expect(usage.credits).toEqual({ used: 0, reserved: 0, limit: null, bonus: 0, bonusLeft: 0 });
  } finally {
    await free.close();
  }
});

test('an agent has as many tools as the plan allows, even when many are added at once', async () => {
  const { agentId, organizationId } = await makeAgent('Tools');
  const ada = product.as('ada');
  const most = plans.FREE_PLAN.toolsAnAgent;
  const results = await Promise.allSettled(
    Array.from({ length: most + 3 }, () => ada.tool.create({ organizationId, agentId })),
  );
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'quota/exceeded' });
  expect((await ada.tool.list({ agentId })).tools).toHaveLength(most);
});

test('a hold in the last half millisecond of a month is settled in the month in which it is held', async () => {
  const last = sql`timestamptz '2026-10-31 23:59:59.9996+00'`;
  const { rows } = await product.app.deps.db.in({}, (tx) =>
    tx.execute<{ held: string; kept: string }>(
      sql`select ${monthIn(last)} as held, to_json(${last}::timestamptz(3)) as kept`,
    ),
  );
  expect(rows[0]?.held).toBe(monthOf(new Date(rows[0]?.kept ?? '')));
});
