import * as z from 'zod';
import { priceData } from './catalog.ts';
import {
  address,
  amount,
  anything,
  count,
  currency,
  flag,
  id,
  int,
  metadata,
  percent,
  word,
} from './params.ts';

const transferData = z.strictObject({ destination: id });

/** What `checkout.sessions.create` accepts here. */
export const sessionFields = z.strictObject({
  ...anything,
  mode: z.enum(['payment', 'setup', 'subscription']),
  line_items: z
    .array(
      z.strictObject({ price: id.optional(), price_data: priceData.optional(), quantity: count.optional() }),
    )
    .max(20)
    .optional(),
  success_url: address,
  cancel_url: address.optional(),
  customer: id.optional(),
  customer_email: word.optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  client_reference_id: z.string().max(200).optional(),
  currency: currency.optional(),
  metadata: metadata.optional(),
  locale: word.optional(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
  payment_method_types: z.array(z.literal('card')).optional(),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  allow_promotion_codes: flag.optional(),
  discounts: z
    .array(z.strictObject({ coupon: id.optional(), promotion_code: id.optional() }))
    .max(1)
    .optional(),
  expires_at: int.optional(),
  payment_intent_data: z
    .strictObject({
      application_fee_amount: amount.optional(),
      description: word.optional(),
      metadata: metadata.optional(),
      transfer_data: transferData.optional(),
    })
    .optional(),
  subscription_data: z
    .strictObject({
      application_fee_percent: percent.optional(),
      description: word.optional(),
      metadata: metadata.optional(),
      transfer_data: transferData.optional(),
      trial_end: int.optional(),
      trial_period_days: count.pipe(z.number().max(730)).optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice']) }),
        })
        .optional(),
    })
    .optional(),
});

export type SessionFields = z.output<typeof sessionFields>;
