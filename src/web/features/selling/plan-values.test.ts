import { expect, test } from 'vitest';
import type { PaymentConfig, Product } from '../../../contract/product.ts';
import { termsOf } from '../../chat/shop/price.ts';
import { daysOf } from './days.ts';
import { offerOf, PlanForm, readPlan, valuesOf } from './plan-values.ts';

const price = { currency: 'usd', taxBehavior: 'unspecified', allowsCoupons: true } as const;
const costs = { creditsAMessage: 1, creditsAToolCall: 0 };
const configs: PaymentConfig[] = [
  { kind: 'once', amount: 1950, accessDays: null, credits: null, ...price, ...costs },
  { kind: 'recurring', amount: 900, interval: 'year', trialDays: 7, credits: 100, ...price, ...costs },
  { kind: 'pack', amount: 500, credits: 10, ...price, ...costs, currency: 'jpy' },
  { kind: 'free', credits: 5, ...costs },
];
const detailsConfig = { name: 'Pro', description: '', features: ['Quick'], isHighlighted: false };
const planOf = (paymentConfig: PaymentConfig) => ({ paymentConfig, detailsConfig }) as Product;

test.each(configs)('a plan of the kind $kind survives a round trip through its form', (config) => {
  const values = valuesOf(planOf(config));
  expect(PlanForm.safeParse(values)).toEqual({ success: true });
  expect(readPlan(values)).toEqual({ paymentConfig: config, detailsConfig });
});

test('amounts are shown in the currency’s major unit', () => {
  expect(configs.map((config) => valuesOf(planOf(config)).amount)).toEqual([19.5, 9, 500, '']);
});

test('a missing value is reported at its field, and no plan is produced', () => {
  const values = { ...valuesOf(planOf(configs[0] as PaymentConfig)), amount: '', name: '' };
  const result = PlanForm.safeParse(values);
  expect(result.success ? [] : result.error.issues.map(({ path }) => path[0])).toEqual(['amount', 'name']);
  expect(readPlan(values)).toBeUndefined();
  expect(PlanForm.safeParse({ ...values, kind: 'pack', amount: 5, name: 'Pro' })).toMatchObject({
    success: false,
    error: { issues: [{ path: ['credits'] }] },
  });
});

test('the preview shows the current input, and no price while the amount is invalid', () => {
  const values = valuesOf(planOf(configs[1] as PaymentConfig));
  expect(offerOf({ ...values, amount: 12, name: 'Pro+' })).toEqual({
    paymentConfig: { ...configs[1], amount: 1200 },
    detailsConfig: { ...detailsConfig, name: 'Pro+' },
  });
  expect(offerOf({ ...values, amount: '0.1', name: '' })).toEqual({
    detailsConfig: { ...detailsConfig, name: '' },
  });
});

test('a blank line of features is left out', () => {
  const values = {
    ...valuesOf(planOf(configs[0] as PaymentConfig)),
    features: ['Quick', '  ', ''],
  };
  expect(readPlan(values)?.detailsConfig.features).toEqual(['Quick']);
});

test('credits are called answers when each answer costs one', () => {
  expect(configs.map((config) => termsOf(config))).toEqual([
    ['Unlimited answers', 'Pay once, yours forever'],
    ['7 days free', '100 answers a year'],
    ['10 answers', 'Never expires'],
    ['5 answers a month'],
  ]);
  expect(termsOf({ ...configs[3], creditsAMessage: 2 } as PaymentConfig)).toEqual(['5 credits a month']);
});

test('the days of a period end today', () => {
  const days = daysOf('7d', new Date('2026-03-02T10:00:00Z'));
  expect([days.length, days[0], days.at(-1)]).toEqual([7, '2026-02-24', '2026-03-02']);
});
