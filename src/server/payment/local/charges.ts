import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { idOf, newId, word } from './kinds.ts';
import { openDispute } from './disputes.ts';

export interface Payment {
  amount: number;
  currency: string;
  customer: string | null;
  method: Stripe.PaymentMethod;
  description: string | null;
  metadata: Record<string, string>;
  feeAmount: number | null;
  destination: string | null;
  /** Nobody is present: a renewal. */
  isLater: boolean;
  email: string | null;
}

export interface Paid {
  intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  isPaid: boolean;
}

/** Takes the money, or is declined by the card; either is recorded and reported. */
export async function pay(books: Books, payment: Payment): Promise<Paid> {
  const { behaviour } = await books.hiddenOf('payment_method', payment.method.id);
  const isPaid = behaviour !== 'declines' && !(behaviour === 'fails later' && payment.isLater);
  const intent = newIntent(books, payment);
  await books.emit('payment_intent.created', { ...intent, status: 'requires_payment_method' });
  const charge = newCharge(books, payment, intent.id, isPaid);
  intent.latest_charge = charge.id;
  if (isPaid) {
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    charge.application_fee = await takeFee(books, payment, charge.id);
  } else {
    intent.status = 'requires_payment_method';
    intent.last_payment_error = {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
      charge: charge.id,
    };
  }
  await books.put(intent);
  await books.put(charge);
  await books.emit(isPaid ? 'charge.succeeded' : 'charge.failed', charge);
  await books.emit(isPaid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', intent);
  if (behaviour === 'is disputed' && isPaid) await openDispute(books, charge);
  return { intent, charge, isPaid };
}

const blankIntent = {
  object: 'payment_intent',
  allowed_payment_method_types: null,
  amount_capturable: 0,
  amount_received: 0,
  application: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic_async',
  confirmation_method: 'automatic',
  customer_account: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ['card'] as string[],
  payment_record: null,
  processing: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_group: null,
} as const;

function newIntent(books: Books, payment: Payment): Stripe.PaymentIntent {
  const intentId = newId('payment_intent');
  return {
    ...blankIntent,
    id: intentId,
    amount: payment.amount,
    application_fee_amount: payment.feeAmount,
    client_secret: `${intentId}_secret_${word()}`,
    created: books.now,
    currency: payment.currency,
    customer: payment.customer,
    description: payment.description,
    metadata: payment.metadata,
    payment_method: payment.method.id,
    receipt_email: payment.email,
    status: 'processing',
    transfer_data: payment.destination === null ? null : { destination: payment.destination },
  };
}

const blankCharge = {
  object: 'charge',
  amount_refunded: 0,
  application: null,
  application_fee: null,
  balance_transaction: null,
  calculated_statement_descriptor: null,
  disputed: false,
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  on_behalf_of: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_group: null,
} as const;

function newCharge(books: Books, payment: Payment, intent: string, isPaid: boolean): Stripe.Charge {
  const { card } = payment.method;
  return {
    ...blankCharge,
    id: newId('charge'),
    amount: payment.amount,
    amount_captured: isPaid ? payment.amount : 0,
    application_fee_amount: payment.feeAmount,
    billing_details: { address: null, email: payment.email, name: null, phone: null, tax_id: null },
    captured: isPaid,
    created: books.now,
    currency: payment.currency,
    customer: payment.customer,
    description: payment.description,
    failure_code: isPaid ? null : 'card_declined',
    failure_message: isPaid ? null : 'Your card was declined.',
    metadata: payment.metadata,
    outcome: null,
    paid: isPaid,
    payment_intent: intent,
    payment_method: payment.method.id,
    payment_method_details: {
      type: 'card',
      card: { brand: card?.brand, last4: card?.last4, exp_month: card?.exp_month, exp_year: card?.exp_year },
    } as Stripe.Charge.PaymentMethodDetails,
    receipt_email: payment.email,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: payment.destination === null ? null : { amount: null, destination: payment.destination },
  };
}

/** What the platform keeps of a payment to a connected account. */
async function takeFee(books: Books, payment: Payment, charge: string): Promise<string | null> {
  const account = payment.destination ?? books.account;
  if (!payment.feeAmount || account === '') return null;
  const platform = books.of('');
  const fee: Stripe.ApplicationFee = {
    id: newId('application_fee'),
    object: 'application_fee',
    account,
    amount: payment.feeAmount,
    amount_refunded: 0,
    application: 'ca_parley',
    balance_transaction: null,
    charge,
    created: books.now,
    currency: payment.currency,
    fee_source: { type: 'charge', charge },
    livemode: false,
    originating_transaction: null,
    refunded: false,
    refunds: { object: 'list', data: [], has_more: false, url: '' },
  };
  fee.refunds.url = `/v1/application_fees/${fee.id}/refunds`;
  await platform.put(fee);
  await platform.emit('application_fee.created', fee);
  return fee.id;
}

/** The card that pays for a customer's renewals. */
export async function cardOf(
  books: Books,
  customerId: string,
  chosen: string | null,
): Promise<Stripe.PaymentMethod | undefined> {
  const customer = await books.find('customer', customerId);
  const method =
    chosen ??
    (customer && 'invoice_settings' in customer
      ? idOf(customer.invoice_settings.default_payment_method)
      : null);
  return method === null ? undefined : books.find('payment_method', method);
}
