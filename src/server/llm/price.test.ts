import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { readPrices } from '../config/prices.ts';
import { costOf, NO_PRICE, tokensOf, usdOf } from './price.ts';

const price = { input: '0.25', cachedInput: '0.025', output: '2' };
const usageOf = (total: number | undefined, cacheRead: number | undefined, output: number | undefined) =>
  ({
    inputTokens: { total, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }) as LanguageModelV4Usage;

test('the cost of an answer is exact to a billionth of a dollar, and rounded once', () => {
  // 900 x 0.25 + 100 x 0.025 + 50 x 2 dollars per million.
  expect(costOf(price, { input: 1000, cached: 100, output: 50 })).toBe(327_500);
  expect(costOf({ ...price, cachedInput: null }, { input: 1000, cached: 100, output: 50 })).toBe(350_000);
  expect(
    costOf({ input: '0.000499', cachedInput: null, output: '0' }, { input: 1, cached: null, output: 0 }),
  ).toBe(0);
  expect(
    costOf({ input: '0.0005', cachedInput: null, output: '0' }, { input: 1, cached: null, output: 0 }),
  ).toBe(1);
  // As floating-point numbers, 0.1 + 0.2 dollars are not 0.3.
  expect(
    costOf(
      { input: '0.1', cachedInput: null, output: '0.2' },
      { input: 1_000_000, cached: 0, output: 1_000_000 },
    ),
  ).toBe(300_000_000);
  expect(
    costOf(
      { input: '9999.999999', cachedInput: null, output: '0' },
      { input: 99_999_999, cached: 0, output: 0 },
    ),
  ).toBe(999_999_989_900_000);
});

test('the cost is unknown if a price or token count is, and zero if no model is called', () => {
  expect(costOf(undefined, { input: 1, cached: 0, output: 1 })).toBeNull();
  expect(costOf(price, { input: null, cached: null, output: 1 })).toBeNull();
  expect(costOf(price, { input: 1, cached: null, output: null })).toBeNull();
  expect(costOf(NO_PRICE, { input: null, cached: null, output: null })).toBe(0);
});

test('an invalid token count is ignored', () => {
  expect(tokensOf(usageOf(10, 20, 3))).toEqual({ input: 10, cached: 10, output: 3 });
  for (const wrong of [-1, 1.5, 1e30, Number.NaN, undefined])
    expect(tokensOf(usageOf(wrong, 1, wrong))).toEqual({ input: null, cached: null, output: null });
  expect(tokensOf(undefined)).toEqual({ input: null, cached: null, output: null });
});

test('dollars are formatted as decimals', () => {
  const written = [0n, 1n, 327_500n, 1_000_000_000n, 12_345_678_900n].map(usdOf);
  expect(written).toEqual(['0', '0.000000001', '0.0003275', '1', '12.3456789']);
});

test('an operator sets prices in JSON, and an invalid value aborts the start with the variable’s name', () => {
  expect(readPrices('{"openai/small":{"input":0.25,"output":"2"}}')).toEqual({
    'openai/small': { input: '0.25', cachedInput: null, output: '2' },
  });
  for (const wrong of [
    '{',
    '[]',
    '{"a":{"input":"1"}}',
    '{"a":{"input":-1,"output":1}}',
    '{"a":{"input":1e-9,"output":1}}',
    '{"a":{"input":"1","output":"1","more":1}}',
  ])
    expect(() => readPrices(wrong)).toThrow(/MODEL_PRICES/);
});
