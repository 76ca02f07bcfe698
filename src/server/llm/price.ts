import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { TOKENS_AN_ANSWER_MAX } from '../../contract/limits.ts';
import type { ModelPrice } from '../../contract/model.ts';

/** By the names of models. */
export type Prices = Readonly<Record<string, ModelPrice>>;

/** Of what asks nobody. */
export const NO_PRICE: ModelPrice = { input: '0', cachedInput: null, output: '0' };

/** What a provider says that an answer took; null where it does not say so. */
export interface Tokens {
  input: number | null;
  /** Of the input. */
  cached: number | null;
  output: number | null;
}

export function tokensOf(usage: LanguageModelV4Usage | undefined): Tokens {
  const input = countOf(usage?.inputTokens.total);
  const cached = countOf(usage?.inputTokens.cacheRead);
  return {
    input,
    cached: input === null || cached === null ? null : Math.min(cached, input),
    output: countOf(usage?.outputTokens.total),
  };
}

/** What a provider says is not believed to be a number of tokens only because it is there. */
function countOf(said: number | undefined): number | null {
  const isCount = said !== undefined && Number.isInteger(said) && said >= 0 && said <= TOKENS_AN_ANSWER_MAX;
  return isCount ? said : null;
}

/** In billionths of a US dollar, rounded once; null where a price or a number of tokens is not known. */
export function costOf(price: ModelPrice | undefined, { input, cached, output }: Tokens): number | null {
  if (price === NO_PRICE) return 0;
  if (!price || input === null || output === null) return null;
  const kept = BigInt(cached ?? 0);
  const millionths =
    (BigInt(input) - kept) * millionthsOf(price.input) +
    kept * millionthsOf(price.cachedInput ?? price.input) +
    BigInt(output) * millionthsOf(price.output);
  // A price for a million in millionths of a dollar is one for a token in millionths of a millionth.
  return Number((millionths + 500n) / 1000n);
}

function millionthsOf(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'));
}

/** Billionths of a US dollar as dollars in decimals: `0.00125`. */
export function usdOf(nano: bigint): string {
  const digits = String(nano).padStart(10, '0');
  const decimals = digits.slice(-9).replace(/(?<!0)0+$/, '');
  return digits.slice(0, -9) + (decimals && `.${decimals}`);
}
