import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, eventually, pageOf, press, typedCard } from '../../../../test/payments.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { REFERRAL_CREDITS } from '../../../contract/limits.ts';
import { plans } from '../../../contract/plans.ts';
import type { Tx } from '../../db/scope.ts';
import { holdCredit, returnCredit, returnForgotten } from './hold-store.ts';
import { closeMonths } from './referral-store.ts';
import { setPlan } from './subscription-store.ts';

const LIMIT = 4;

let provider: Provider;
let product: Product;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes.'] });
  product = await startProduct({
    billing: { mode: 'on', plans: { ...plans, FREE_PLAN: { ...plans.FREE_PLAN, creditsAMonth: LIMIT } } },
    providers: { openai: provider.openai },
  });
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const query = (sql: string, values: unknown[]) => product.app.deps.db.owner.query(sql, values);

async function codeOf(name: string): Promise<string> {
  const { link } = (await product.as(name).billing.getReferral({})).referral;
  return new URL(link).searchParams.get('ref') ?? '';
}

const make = async (name: string, ref?: string) =>
  (await product.as(name).organization.create({ name: 'Acme', ...(ref && { ref }) })).organization.id;
const creditsOf = async (name: string, organizationId: string) =>
  (await product.as(name).billing.getUsage({ organizationId })).usage.credits;
const bonusOf = async (name: string, organizationId: string) => (await creditsOf(name, organizationId)).bonus;

async function pay(name: string, organizationId: string, promotion?: string): Promise<void> {
  const client = product.as(name);
  const { url } = await client.billing.choosePlan({ organizationId, planType: 'HOBBY' });
  if (promotion) await press(pageOf(product, url), 'code', { promotion });
  await press(pageOf(product, url), 'pay', typedCard(cards.pays));
  const planOf = async () => (await client.billing.getUsage({ organizationId })).usage.planType;
  await eventually(async () => (await planOf()) === 'HOBBY');
}

test('a referrer is rewarded once, in their oldest organization, and so is the paying organization', async () => {
  const code = await codeOf('ada');
  expect(await codeOf('ada')).toBe(code);
  const oldest = await make('ada');
  const younger = await make('ada');
  const brought = await make('bob', code);
  expect(await bonusOf('bob', brought)).toBe(0);
  await pay('bob', brought);
  await eventually(async () => (await bonusOf('bob', brought)) === REFERRAL_CREDITS);
  expect(await bonusOf('ada', oldest)).toBe(REFERRAL_CREDITS);
  expect(await bonusOf('ada', younger)).toBe(0);
  await product.as('bob').billing.choosePlan({ organizationId: brought, planType: 'PRO' });
  const planOf = async () =>
    (await product.as('bob').billing.getUsage({ organizationId: brought })).usage.planType;
  await eventually(async () => (await planOf()) === 'PRO');
  expect(await bonusOf('ada', oldest)).toBe(REFERRAL_CREDITS);
  const { referral } = await product.as('ada').billing.getReferral({});
  expect(referral).toMatchObject({ came: 1, rewarded: 1, credits: REFERRAL_CREDITS });
});

test('a plan made free by a code is not a payment', async () => {
  const { coupons, promotionCodes } = product.app.deps.payments.stripe;
  const { id: coupon } = await coupons.create({ percent_off: 100, duration: 'once' });
  await promotionCodes.create({ promotion: { type: 'coupon', coupon }, code: 'NOTHING' });
  const own = await make('fay');
  const brought = await make('gil', await codeOf('fay'));
  await pay('gil', brought, 'nothing');
  expect(await bonusOf('gil', brought)).toBe(0);
  expect(await bonusOf('fay', own)).toBe(0);
  await product.as('gil').billing.choosePlan({ organizationId: brought, planType: 'PRO' });
  await eventually(async () => (await bonusOf('gil', brought)) === REFERRAL_CREDITS);
  expect(await bonusOf('fay', own)).toBe(REFERRAL_CREDITS);
});

test('nobody is rewarded for referring themselves, and an unknown code reveals nothing', async () => {
  const own = await make('carl', await codeOf('carl'));
  await pay('carl', own);
  const other = await make('carl', 'nobody-has-it');
  expect(await bonusOf('carl', own)).toBe(0);
  expect(await bonusOf('carl', other)).toBe(0);
  expect((await product.as('carl').billing.getReferral({})).referral).toMatchObject({ came: 0, rewarded: 0 });
});

test('bonus credits are spent after the month’s credits, exactly, and those a month used are gone in the next', async () => {
  const dora = product.as('dora');
  const organizationId = await make('dora');
  await query('update organization set bonus_credits = 5 where id = $1', [organizationId]);
  const { chatbot } = await dora.chatbot.create({ organizationId, name: 'Helper' });
  const conversations = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await dora.chat.create({ chatbotId: chatbot.id })).conversation.id,
    ),
  );
  const answered = async () => {
    const results = await Promise.allSettled(
      conversations.map((id) => dora.chat.send({ id, text: 'Well?' })),
    );
    return results.filter(({ status }) => status === 'fulfilled').length;
  };
  expect(await creditsOf('dora', organizationId)).toMatchObject({ used: 0, bonus: 5, bonusLeft: 5 });
  expect(await answered()).toBe(LIMIT + 5);
  expect(await creditsOf('dora', organizationId)).toMatchObject({ used: LIMIT + 5, bonus: 5, bonusLeft: 0 });
  // A month later, after two bonus credits were spent.
  await query(
    `update credit_usage set month = to_char(now() - interval '1 month', 'YYYY-MM'), used = $2 where organization_id = $1`,
    [organizationId, LIMIT + 2],
  );
  expect(await bonusOf('dora', organizationId)).toBe(3);
  await closeMonths(product.app.deps.db, product.app.deps.config);
  await query(`update organization set plan_type = 'STARTUP' where id = $1`, [organizationId]);
  expect(await bonusOf('dora', organizationId)).toBe(3);
  await query(`update organization set plan_type = 'FREE_PLAN' where id = $1`, [organizationId]);
  expect(await answered()).toBe(LIMIT + 3);
});

test.each([
  ['STARTUP', 'FREE_PLAN', LIMIT + 100, 5],
  ['FREE_PLAN', 'STARTUP', LIMIT + 2, 3],
] as const)(
  'a month that has just ended is settled by its own plan, %s, and not by %s, which begins with the next',
  async (ended, begun, used, left) => {
    const organizationId = await make('eva');
    await query('update organization set bonus_credits = 5, plan_type = $2 where id = $1', [
      organizationId,
      ended,
    ]);
    await query(
      `insert into credit_usage (organization_id, month, used)
       values ($1, to_char((now() - interval '1 month') at time zone 'UTC', 'YYYY-MM'), $2)`,
      [organizationId, used],
    );
    const { config, db } = product.app.deps;
    await db.in({ organizationId }, (tx) => setPlan(tx, config, organizationId, begun));
    expect(await bonusOf('eva', organizationId)).toBe(left);
    await closeMonths(db, config);
    expect(await bonusOf('eva', organizationId)).toBe(left);
  },
);

test('a credit that comes back after its month was closed comes back to the bonus it was taken from', async () => {
  const { config, db } = product.app.deps;
  const organizationId = await make('gwen');
  const inScope = <T>(work: (tx: Tx) => Promise<T>) => db.in({ organizationId }, work);
  await query('update organization set bonus_credits = 5 where id = $1', [organizationId]);
  const holds = [];
  for (let held = 0; held < LIMIT + 2; held += 1)
    holds.push(await inScope((tx) => holdCredit(tx, config, organizationId)));
  for (const table of ['credit_usage', 'credit_hold'])
    await query(
      `update ${table} set month = to_char((now() - interval '1 month') at time zone 'UTC', 'YYYY-MM') where organization_id = $1`,
      [organizationId],
    );
  await closeMonths(db, config);
  expect(await bonusOf('gwen', organizationId)).toBe(3);
  const [first] = holds;
  if (first) await inScope((tx) => returnCredit(tx, first));
  expect(await bonusOf('gwen', organizationId)).toBe(4);
  // The plan's own credits that come back are no bonus.
  await query(`update credit_hold set created_at = now() - interval '1 day' where organization_id = $1`, [
    organizationId,
  ]);
  await returnForgotten(db);
  expect(await bonusOf('gwen', organizationId)).toBe(5);
});

test('overage that an owner allowed a month is not taken from the bonus once they stop allowing it', async () => {
  const organizationId = await make('flo');
  const stopBy = (creditStop: 'soft' | 'hard') =>
    product.as('flo').billing.setStop({ organizationId, creditStop, stopMessage: null });
  await query(`update organization set bonus_credits = 5, plan_type = 'HOBBY' where id = $1`, [
    organizationId,
  ]);
  await stopBy('soft');
  await query(
    `insert into credit_usage (organization_id, month, used) values ($1, to_char(now() at time zone 'UTC', 'YYYY-MM'), $2)`,
    [organizationId, plans.HOBBY.creditsAMonth + 1],
  );
  expect(await creditsOf('flo', organizationId)).toMatchObject({ bonusLeft: 5 });
  await stopBy('hard');
  expect(await creditsOf('flo', organizationId)).toMatchObject({ bonusLeft: 5 });
});
