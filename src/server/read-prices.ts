import * as z from 'zod';
import { ModelPrice } from '../contract/model.ts';
import { ConfigError } from './config-error.ts';
import type { Prices } from './llm/price.ts';

/** A number is taken as it is written: JSON has no other way to say 0.25. */
const Amount = z.union([z.string(), z.number().transform(String)]);
const Written = z
  .strictObject({ input: Amount, cachedInput: Amount.nullable().default(null), output: Amount })
  .pipe(ModelPrice);

/** `MODEL_PRICES`: US dollars for a million tokens, `{"openai/gpt-5-mini":{"input":"0.25","cachedInput":"0.025","output":"2"}}`. */
export function readPrices(text: string): Prices {
  const parsed = z.record(z.string(), Written).safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new ConfigError(`The configuration is not valid.\nMODEL_PRICES: ${z.prettifyError(parsed.error)}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
