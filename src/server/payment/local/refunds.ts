import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { invalid } from './api-error.ts';
import { idOf, newId } from './kinds.ts';
import { amount, anything, flag, id, listing, mergeMetadata, metadata } from './params.ts';
import { listOf, route, type Route } from './route.ts';

const refundFields = z.strictObject({
  ...anything,
  amount: amount.optional(),
  charge: id.optional(),
  payment_intent: id.optional(),
  metadata: metadata.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  refund_application_fee: flag.optional(),
  reverse_transfer: flag.optional(),
});
type RefundFields = z.output<typeof refundFields>;

/** Refunds money, never more than was paid. */
async function refund(books: Books, given: RefundFields): Promise<Stripe.Refund> {
  const charge = await chargeOf(books, given);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0)
    throw invalid('charge', `Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const amount = given.amount ?? left;
  if (amount < 1 || amount > left)
    throw invalid(
      'amount',
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      'amount_too_large',
    );
  const refund = {
    id: newId('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: books.now,
    currency: charge.currency,
    customer: idOf(charge.customer),
    customer_account: null,
    metadata: mergeMetadata({}, given.metadata),
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: given.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  } as Stripe.Refund;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  await books.put(refund);
  await books.put(charge);
  if (given.refund_application_fee) await refundFee(books, charge, amount);
  await books.emit('refund.created', refund);
  await books.emit('charge.refunded', charge);
  return refund;
}

async function chargeOf(books: Books, given: RefundFields): Promise<Stripe.Charge> {
  if (given.charge !== undefined) return paid(await books.get('charge', given.charge, 'charge'));
  if (given.payment_intent === undefined)
    throw invalid(
      'charge',
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    );
  const intent = await books.get('payment_intent', given.payment_intent, 'payment_intent');
  return paid(await books.get('charge', idOf(intent.latest_charge) ?? '', 'payment_intent'));
}

function paid(charge: Stripe.Charge): Stripe.Charge {
  if (!charge.paid)
    throw invalid('charge', `Charge ${charge.id} was not successful.`, 'charge_not_refundable');
  return charge;
}

/** The same share of the fee as of the payment. */
async function refundFee(books: Books, charge: Stripe.Charge, amount: number): Promise<void> {
  const platform = books.of('');
  const fee = await platform.find('application_fee', idOf(charge.application_fee) ?? '');
  if (!fee) return;
  const back = Math.round((fee.amount * amount) / charge.amount);
  await giveFeeBack(platform, fee, Math.min(back, fee.amount - fee.amount_refunded));
}

async function giveFeeBack(platform: Books, fee: Stripe.ApplicationFee, amount: number): Promise<void> {
  fee.amount_refunded += amount;
  fee.refunded = fee.amount_refunded === fee.amount;
  await platform.put(fee);
  await platform.emit('application_fee.refunded', fee);
}

const feeRefundFields = z.strictObject({
  ...anything,
  amount: amount.optional(),
  metadata: metadata.optional(),
});

/** Refunds a fee only, without its payment. */
async function refundFeeAlone(
  books: Books,
  given: z.output<typeof feeRefundFields>,
  feeId: string,
): Promise<Stripe.FeeRefund> {
  const fee = await books.get('application_fee', feeId);
  const left = fee.amount - fee.amount_refunded;
  const amount = given.amount ?? left;
  if (amount < 1 || amount > left)
    throw invalid(
      'amount',
      `Refund amount (${amount}) is greater than unrefunded amount on fee (${left})`,
      'amount_too_large',
    );
  const made: Stripe.FeeRefund = {
    id: newId('fee_refund'),
    object: 'fee_refund',
    amount,
    balance_transaction: null,
    created: books.now,
    currency: fee.currency,
    fee: fee.id,
    metadata: mergeMetadata({}, given.metadata),
  };
  await books.put(made);
  await giveFeeBack(books, fee, amount);
  return made;
}

export const paymentRoutes: Route[] = [
  route('POST', '/v1/refunds', refundFields, refund),
  route(
    'GET',
    '/v1/refunds',
    z.strictObject({ ...listing, charge: id.optional(), payment_intent: id.optional() }),
    async (books, { charge, payment_intent, ...page }) =>
      listOf('/v1/refunds', await books.list('refund', { charge, payment_intent }, page)),
  ),
  route('GET', '/v1/refunds/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('refund', id),
  ),
  route(
    'GET',
    '/v1/charges',
    z.strictObject({ ...listing, customer: id.optional(), payment_intent: id.optional() }),
    async (books, { customer, payment_intent, ...page }) =>
      listOf('/v1/charges', await books.list('charge', { customer, payment_intent }, page)),
  ),
  route('GET', '/v1/charges/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('charge', id),
  ),
  route(
    'GET',
    '/v1/payment_intents',
    z.strictObject({ ...listing, customer: id.optional() }),
    async (books, { customer, ...page }) =>
      listOf('/v1/payment_intents', await books.list('payment_intent', { customer }, page)),
  ),
  route('GET', '/v1/payment_intents/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('payment_intent', id),
  ),
  route(
    'GET',
    '/v1/application_fees',
    z.strictObject({ ...listing, charge: id.optional() }),
    async (books, { charge, ...page }) =>
      listOf('/v1/application_fees', await books.list('application_fee', { charge }, page)),
  ),
  route('GET', '/v1/application_fees/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('application_fee', id),
  ),
  route('POST', '/v1/application_fees/:id/refunds', feeRefundFields, (books, given, { id }) =>
    refundFeeAlone(books, given, id ?? ''),
  ),
  route('GET', '/v1/setup_intents/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('setup_intent', id),
  ),
];
