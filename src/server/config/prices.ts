import * as z from 'zod';
import { ModelPrice } from '../../contract/model.ts';
import { jsonOf } from './values.ts';
import type { Prices } from '../llm/price.ts';

/** A number's literal form is taken: JSON has no other way to write 0.25. */
const Amount = z.union([z.string(), z.number().transform(String)], { error: 'Must be an amount like 0.25.' });
const Written = z
  .strictObject({ input: Amount, cachedInput: Amount.nullable().default(null), output: Amount })
  .pipe(ModelPrice);
/** With any other name, the price would match no model. */
const WrittenPrices = z.record(z.string().regex(/^[a-z]+\/./), Written, {
  error: ({ code }) =>
    code === 'invalid_key' ? 'Must be provider/model, like openai/gpt-5-mini.' : undefined,
});

/** `MODEL_PRICES`: US dollars per million tokens. */
export function readPrices(text: string): Prices {
  const like = '{"openai/gpt-5-mini":{"input":"0.25","cachedInput":"0.025","output":"2"}}';
  return jsonOf(text, WrittenPrices, { name: 'MODEL_PRICES', like });
}
