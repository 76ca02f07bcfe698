import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { ApiError, invalid } from './api-error.ts';
import { cardOf, pay } from './charges.ts';
import { discountOf } from './discounts.ts';
import { idOf, newId, word as newWord, type Hidden } from './kinds.ts';
import { anything, id, listing } from './params.ts';
import { DAY_SECONDS } from './periods.ts';
import { listOf, route, type Route } from './route.ts';

/** Days after a declined payment on which it is retried; after the last one the subscription ends. */
export const RETRY_DAYS = [3, 5, 7];

export interface Line {
  amount: number;
  description: string;
  quantity: number;
  price: Stripe.Price | null;
}

const blankInvoice = {
  object: 'invoice',
  account_country: 'US',
  account_name: null,
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_paid: 0,
  amount_shipping: 0,
  application: null,
  attempt_count: 0,
  attempted: false,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [] as Stripe.TaxRate[],
  description: null,
  discounts: [] as string[],
  due_date: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  next_payment_attempt: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  total_pretax_credit_amounts: [] as Stripe.Invoice.TotalPretaxCreditAmount[],
  total_taxes: [] as Stripe.Invoice.TotalTax[],
  webhooks_delivered_at: null,
} as const;

/** A subscription's invoice for a period, finalized and not yet paid. */
export async function makeInvoice(
  books: Books,
  subscription: Stripe.Subscription,
  {
    lines,
    reason,
    period,
  }: { lines: Line[]; reason: Stripe.Invoice.BillingReason; period: { start: number; end: number } },
): Promise<Stripe.Invoice> {
  const invoiceId = newId('invoice');
  const customer = await books.find('customer', idOf(subscription.customer));
  const known = customer && 'email' in customer ? customer : undefined;
  const invoice = {
    ...blankInvoice,
    ...(await sumsOf(books, subscription, lines)),
    id: invoiceId,
    billing_reason: reason,
    created: books.now,
    currency: subscription.currency,
    customer: idOf(subscription.customer),
    customer_email: known?.email ?? null,
    customer_name: known?.name ?? null,
    effective_at: books.now,
    lines: linesOf(invoiceId, subscription, lines, period),
    metadata: {},
    number: `TEST-${newWord().slice(0, 8).toUpperCase()}`,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payments: { object: 'list', data: [], has_more: false, url: '/v1/invoice_payments' },
    period_end: period.end,
    period_start: period.start,
    status: 'open',
    status_transitions: {
      finalized_at: books.now,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
  } as Stripe.Invoice;
  await books.put(invoice);
  await books.emit('invoice.created', { ...invoice, status: 'draft' });
  await books.emit('invoice.finalized', invoice);
  return invoice;
}

function linesOf(
  invoice: string,
  subscription: Stripe.Subscription,
  lines: Line[],
  period: { start: number; end: number },
): Stripe.ApiList<Stripe.InvoiceLineItem> {
  const data = lines.map(
    ({ amount, description, quantity, price }) =>
      ({
        id: `il_${newWord()}`,
        object: 'line_item',
        amount,
        currency: subscription.currency,
        description,
        discount_amounts: [],
        discountable: true,
        discounts: [],
        invoice,
        livemode: false,
        metadata: subscription.metadata,
        parent: {
          invoice_item_details: null,
          subscription_item_details: {
            invoice_item: null,
            proration: price === null,
            proration_details: null,
            subscription: subscription.id,
            subscription_item: subscription.items.data[0]?.id ?? '',
          },
          type: 'subscription_item_details',
        },
        period,
        pretax_credit_amounts: [],
        pricing: price
          ? {
              price_details: { price: price.id, product: idOf(price.product) },
              type: 'price_details',
              unit_amount_decimal: String(price.unit_amount ?? 0),
            }
          : null,
        quantity,
        subscription: subscription.id,
        subtotal: amount,
        taxes: [],
      }) as unknown as Stripe.InvoiceLineItem,
  );
  return { object: 'list', data, has_more: false, url: `/v1/invoices/${invoice}/lines` };
}

/**
 * If the credit exceeds the amount due, nothing is left to pay; Stripe carries the rest over to the next invoice, here
 * it is dropped.
 */
async function sumsOf(
  books: Books,
  { id }: Stripe.Subscription,
  lines: Line[],
): Promise<Partial<Stripe.Invoice>> {
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const coupon = await couponOf(books, id);
  const discount = subtotal > 0 ? discountOf(coupon, subtotal) : 0;
  const total = Math.max(0, subtotal - discount);
  return {
    amount_due: total,
    amount_remaining: total,
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_discount_amounts: coupon && discount > 0 ? [{ amount: discount, discount: coupon.id }] : [],
    total_excluding_tax: total,
  };
}

/** A coupon stays valid for its holder, even when it is used up for others. */
async function couponOf(books: Books, subscriptionId: string): Promise<Stripe.Coupon | undefined> {
  const { coupon } = await books.hiddenOf('subscription', subscriptionId);
  const isOver = !coupon || (coupon.until !== null && coupon.until <= books.now);
  return isOver ? undefined : books.find('coupon', coupon.id);
}

/** Tries to collect what is due. A declined payment is retried after some days. */
export async function collect(
  books: Books,
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
  { isLater, card }: { isLater: boolean; card?: Stripe.PaymentMethod },
): Promise<boolean> {
  invoice.attempted = true;
  invoice.attempt_count += 1;
  const method =
    card ?? (await cardOf(books, idOf(subscription.customer), idOf(subscription.default_payment_method)));
  const payment =
    invoice.amount_due === 0
      ? undefined
      : method &&
        (await pay(books, {
          amount: invoice.amount_due,
          currency: invoice.currency,
          customer: idOf(subscription.customer),
          method,
          description: `Invoice ${invoice.number}`,
          metadata: {},
          feeAmount: feeOf(subscription, invoice.amount_due),
          destination: idOf(subscription.transfer_data?.destination),
          isLater,
          email: invoice.customer_email,
        }));
  const isPaid = invoice.amount_due === 0 || payment?.isPaid === true;
  if (payment) invoice.payments = paymentsOf(books, invoice, payment.intent.id, isPaid);
  if (isPaid) return settle(books, invoice);
  const days = RETRY_DAYS[invoice.attempt_count - 1];
  invoice.next_payment_attempt = days === undefined ? null : books.now + days * DAY_SECONDS;
  await books.put(invoice);
  await books.emit('invoice.payment_failed', invoice);
  return false;
}

async function settle(books: Books, invoice: Stripe.Invoice): Promise<true> {
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = books.now;
  await books.put(invoice);
  await books.emit('invoice.paid', invoice);
  await books.emit('invoice.payment_succeeded', invoice);
  return true;
}

function feeOf({ application_fee_percent: percent }: Stripe.Subscription, amount: number): number | null {
  return percent === null ? null : Math.round((amount * percent) / 100);
}

function paymentsOf(
  books: Books,
  invoice: Stripe.Invoice,
  intent: string,
  isPaid: boolean,
): Stripe.ApiList<Stripe.InvoicePayment> {
  const payment: Stripe.InvoicePayment = {
    id: `inpay_${newWord()}`,
    object: 'invoice_payment',
    amount_paid: isPaid ? invoice.amount_due : null,
    amount_requested: invoice.amount_due,
    created: books.now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status: isPaid ? 'paid' : 'open',
    status_transitions: { canceled_at: null, paid_at: isPaid ? books.now : null },
  };
  return { object: 'list', data: [payment], has_more: false, url: '/v1/invoice_payments' };
}

/** Once it is paid, a past-due subscription becomes active again. */
export async function payInvoice(books: Books, invoiceId: string): Promise<Stripe.Invoice> {
  const invoice = await books.get('invoice', invoiceId, 'invoice');
  if (invoice.status !== 'open') throw invalid('invoice', 'Invoice is already paid', 'invoice_not_editable');
  const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription) ?? '';
  const subscription = await books.get('subscription', subscriptionId, 'subscription');
  if (!(await collect(books, invoice, subscription, { isLater: true }))) {
    throw new ApiError(402, 'card_error', 'Your card was declined.', {
      code: 'card_declined',
      declineCode: 'generic_decline',
      keeps: true,
    });
  }
  if (subscription.status === 'past_due') {
    subscription.status = 'active';
    await books.put(subscription);
    await books.emit('customer.subscription.updated', subscription, { status: 'past_due' });
  }
  return invoice;
}

/** A one-time discount is used up by the first invoice. */
export function afterInvoice(hidden: Hidden): Hidden {
  const { coupon, pendingLines: _, ...rest } = hidden;
  return coupon && !coupon.isOnce ? { ...rest, coupon } : rest;
}

export const invoiceRoutes: Route[] = [
  route(
    'GET',
    '/v1/invoices',
    z.strictObject({
      ...listing,
      customer: id.optional(),
      subscription: id.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    }),
    async (books, { customer, subscription, status, ...page }) => {
      const where = { customer, status, 'parent.subscription_details.subscription': subscription };
      return listOf('/v1/invoices', await books.list('invoice', where, page));
    },
  ),
  route('GET', '/v1/invoices/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('invoice', id),
  ),
  route('POST', '/v1/invoices/:id/pay', z.strictObject(anything), (books, _input, { id }) =>
    payInvoice(books, id),
  ),
  route('POST', '/v1/invoices/:id/void', z.strictObject(anything), async (books, _input, { id }) => {
    const invoice = await books.get('invoice', id);
    if (invoice.status !== 'open')
      throw invalid('invoice', 'Only an open invoice can be voided.', 'invoice_not_editable');
    invoice.status = 'void';
    invoice.next_payment_attempt = null;
    invoice.status_transitions.voided_at = books.now;
    await books.put(invoice);
    await books.emit('invoice.voided', invoice);
    return invoice;
  }),
];
