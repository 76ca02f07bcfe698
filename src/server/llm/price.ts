import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { TOKENS_AN_ANSWER_MAX } from '../../contract/limits.ts';
import type { ModelPrice } from '../../contract/model.ts';
import type { Asked } from './ask.ts';

/** By model name. */
export type Prices = Readonly<Record<string, ModelPrice>>;

/** For models that call no provider. */
export const NO_PRICE: ModelPrice = { input: '0', cachedInput: null, output: '0' };

/** Token counts an answer took, as reported by the provider; null if it doesn't report them. */
export interface Tokens {
  input: number | null;
  /** Part of the input. */
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

/** A provider's value isn't taken for a token count just because it is present. */
function countOf(said: number | undefined): number | null {
  const isCount = said !== undefined && Number.isInteger(said) && said >= 0 && said <= TOKENS_AN_ANSWER_MAX;
  return isCount ? said : null;
}

/** In billionths of a US dollar, rounded once; null if a price or a token count is unknown. */
export function costOf(price: ModelPrice | undefined, { input, cached, output }: Tokens): number | null {
  if (price === NO_PRICE) return 0;
  if (!price || input === null || output === null) return null;
  const kept = BigInt(cached ?? 0);
  const millionths =
    (BigInt(input) - kept) * millionthsOf(price.input) +
    kept * millionthsOf(price.cachedInput ?? price.input) +
    BigInt(output) * millionthsOf(price.output);
  // A price per million in millionths of a dollar equals a price per token in millionths of a millionth.
  return Number((millionths + 500n) / 1000n);
}

/**
 * The same for a call: a model that fails without output or usage charges nothing; otherwise, without usage, the cost is
 * unknown.
 */
export function costOfCall(
  price: ModelPrice | undefined,
  { usage, failure }: Pick<Asked, 'usage' | 'failure'>,
  hasOutput: boolean,
): number | null {
  return !usage && failure && !hasOutput ? 0 : costOf(price, tokensOf(usage));
}

/** The sum; unknown if any is unknown. */
export function costsOf(...costs: (number | null)[]): number | null {
  return costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

function millionthsOf(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'));
}

/** Billionths of a US dollar as decimal dollars: `0.00125`. */
export function usdOf(nano: bigint): string {
  const digits = String(nano).padStart(10, '0');
  const decimals = digits.slice(-9).replace(/(?<!0)0+$/, '');
  return digits.slice(0, -9) + (decimals && `.${decimals}`);
}
