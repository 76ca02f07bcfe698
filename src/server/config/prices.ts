import * as z from 'zod';
import { ModelPrice } from '../../contract/model.ts';
import { jsonOf } from './values.ts';
import type { Prices } from '../llm/price.ts';

/** A number is taken as it is written: JSON has no other way to say 0.25. */
const Amount = z.union([z.string(), z.number().transform(String)], { error: 'Must be an amount like 0.25.' });
const Written = z
  .strictObject({ input: Amount, cachedInput: Amount.nullable().default(null), output: Amount })
  .pipe(ModelPrice);
/** Under another name a price would be of no model. */
const WrittenPrices = z.record(z.string().regex(/^[a-z]+\/./), Written, {
  error: ({ code }) =>
    code === 'invalid_key' ? 'Must be provider/model, like openai/gpt-5-mini.' : undefined,
});

/** `MODEL_PRICES`: US dollars for a million tokens. */
export function readPrices(text: string): Prices {
  const like = '{"openai/gpt-5-mini":{"input":"0.25","cachedInput":"0.025","output":"2"}}';
  return jsonOf(text, WrittenPrices, { name: 'MODEL_PRICES', like });
}
