import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { invalid } from './api-error.ts';
import { oldValues } from './catalog.ts';
import { afterInvoice, collect, makeInvoice, type Line } from './invoices.ts';
import { idOf, newId, word, type Hidden, type Ordered } from './kinds.ts';
import { addInterval } from './periods.ts';
import { usedUnits } from './meters.ts';

interface NewSubscription {
  customer: string;
  lines: Ordered[];
  method: Stripe.PaymentMethod | null;
  trialEnd: number | null;
  feePercent: number | null;
  destination: string | null;
  metadata: Record<string, string>;
  description: string | null;
  cancelWithoutCard: boolean;
  coupon: Hidden['coupon'];
}

const blankSubscription = {
  object: 'subscription',
  application: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: null, type: 'classic' },
  billing_schedules: [] as Stripe.Subscription.BillingSchedule[],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  discounts: [] as string[],
  ended_at: null,
  invoice_settings: { account_tax_ids: null, issuer: { type: 'self' } },
  latest_invoice: null,
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
} as const;

/** Starts a subscription with its first invoice paid, or, in a trial, for nothing. Undefined if the card was declined. */
export async function subscribe(
  books: Books,
  given: NewSubscription,
): Promise<Stripe.Subscription | undefined> {
  const prices = await pricesOf(books, given.lines);
  const [first] = prices;
  if (!first?.recurring) throw invalid('line_items', 'A subscription needs a recurring price.');
  const { interval, interval_count: count } = first.recurring;
  const end = given.trialEnd ?? addInterval(books.now, interval, count, books.now);
  const subscriptionId = newId('subscription');
  const anchor = given.trialEnd ?? books.now;
  const subscription = {
    ...blankSubscription,
    id: subscriptionId,
    application_fee_percent: given.feePercent,
    billing_cycle_anchor: anchor,
    created: books.now,
    currency: first.currency,
    customer: given.customer,
    default_payment_method: given.method?.id ?? null,
    description: given.description,
    items: itemsOf(books, subscriptionId, prices, given.lines, { start: books.now, end }),
    metadata: given.metadata,
    start_date: books.now,
    status: given.trialEnd === null ? 'active' : 'trialing',
    transfer_data:
      given.destination === null ? null : { amount_percent: null, destination: given.destination },
    trial_end: given.trialEnd,
    trial_settings: {
      end_behavior: { missing_payment_method: given.cancelWithoutCard ? 'cancel' : 'create_invoice' },
    },
    trial_start: given.trialEnd === null ? null : books.now,
  } as Stripe.Subscription;
  const hidden: Hidden = { usageFrom: books.now, ...(given.coupon ? { coupon: given.coupon } : {}) };
  await books.put(subscription, hidden);
  const lines = given.trialEnd === null ? linesOf(prices, given.lines) : [];
  const period = { start: books.now, end: books.now };
  const invoice = await makeInvoice(books, subscription, { lines, reason: 'subscription_create', period });
  subscription.latest_invoice = invoice.id;
  const card = given.method ? { card: given.method } : {};
  if (!(await collect(books, invoice, subscription, { isLater: false, ...card }))) return undefined;
  await books.put(subscription, lines.length > 0 ? afterInvoice(hidden) : hidden);
  await books.emit('customer.subscription.created', subscription);
  return subscription;
}

export async function pricesOf(books: Books, lines: Ordered[]): Promise<Stripe.Price[]> {
  const prices: Stripe.Price[] = [];
  for (const { price } of lines) prices.push(await books.get('price', price, 'price'));
  return prices;
}

/** The initial amount of each price: nothing yet for metered ones. */
export function linesOf(prices: Stripe.Price[], lines: Ordered[]): Line[] {
  return prices.map((price, at) => {
    const quantity = price.recurring?.usage_type === 'metered' ? 0 : (lines[at]?.quantity ?? 1);
    return {
      amount: (price.unit_amount ?? 0) * quantity,
      quantity,
      price,
      description: `${quantity} × ${price.nickname ?? idOf(price.product)}`,
    };
  });
}

function itemsOf(
  books: Books,
  subscription: string,
  prices: Stripe.Price[],
  lines: Ordered[],
  period: { start: number; end: number },
): Stripe.ApiList<Stripe.SubscriptionItem> {
  const data = prices.map(
    (price, at) =>
      ({
        id: lines[at]?.item ?? `si_${word()}`,
        object: 'subscription_item',
        billing_thresholds: null,
        created: books.now,
        current_period_end: period.end,
        current_period_start: period.start,
        current_trial: null,
        discounts: [],
        metadata: {},
        plan: planOf(price),
        price,
        quantity: lines[at]?.quantity ?? 1,
        subscription,
        tax_rates: [],
      }) as unknown as Stripe.SubscriptionItem,
  );
  return {
    object: 'list',
    data,
    has_more: false,
    url: `/v1/subscription_items?subscription=${subscription}`,
  };
}

/** The legacy form of a price, which subscriptions still carry. */
function planOf(price: Stripe.Price): object {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    currency: price.currency,
    interval: price.recurring?.interval,
    interval_count: price.recurring?.interval_count,
    product: idOf(price.product),
  };
}

export function periodOf(subscription: Stripe.Subscription): { start: number; end: number } {
  const [item] = subscription.items.data;
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
}

/** Ends it at once. */
export async function cancelNow(
  books: Books,
  subscription: Stripe.Subscription,
  reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested',
): Promise<Stripe.Subscription> {
  subscription.status = 'canceled';
  subscription.canceled_at ??= books.now;
  subscription.ended_at = books.now;
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
  await books.put(subscription);
  await books.emit('customer.subscription.deleted', subscription);
  return subscription;
}

/** Applies the allowed changes, and reports them. */
export async function change(
  books: Books,
  subscription: Stripe.Subscription,
  changes: Partial<Stripe.Subscription>,
): Promise<Stripe.Subscription> {
  const before = structuredClone(oldValues(subscription, changes));
  Object.assign(subscription, changes);
  await books.put(subscription);
  await books.emit('customer.subscription.updated', subscription, before);
  return subscription;
}

/** Cancels at the end of the period, or revokes that. */
export function cancelLater(books: Books, subscription: Stripe.Subscription, isWanted: boolean) {
  return change(books, subscription, {
    cancel_at_period_end: isWanted,
    cancel_at: isWanted ? periodOf(subscription).end : null,
    canceled_at: isWanted ? books.now : null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: isWanted ? 'cancellation_requested' : null,
    },
  });
}

export type Proration = 'create_prorations' | 'always_invoice' | 'none';

/**
 * Changes prices or quantities. The rest of the current period is credited and charged anew: on the next invoice, or at
 * once if requested or if the period length changes.
 */
export async function changeItems(
  books: Books,
  subscription: Stripe.Subscription,
  lines: Ordered[],
  proration: Proration,
): Promise<Stripe.Subscription> {
  const prices = await pricesOf(books, lines);
  const [first] = prices;
  if (!first?.recurring) throw invalid('items', 'A subscription needs a recurring price.');
  if (prices.some(({ currency }) => currency !== subscription.currency))
    throw invalid('items', 'The price has another currency than the subscription.', 'currency_mismatch');
  const before = { items: subscription.items };
  const { start, end } = periodOf(subscription);
  const old = subscription.items.data[0]?.price.recurring;
  const isNewLength =
    old?.interval !== first.recurring.interval || old.interval_count !== first.recurring.interval_count;
  const isTrial = subscription.status === 'trialing';
  const share = isTrial || end <= start ? 0 : Math.max(0, end - books.now) / (end - start);
  const adjustments =
    proration === 'none' || isTrial ? [] : prorated(subscription, prices, lines, share, isNewLength);
  const { interval, interval_count: count } = first.recurring;
  const period =
    isNewLength && !isTrial
      ? { start: books.now, end: addInterval(books.now, interval, count, books.now) }
      : { start, end };
  subscription.items = itemsOf(books, subscription.id, prices, lines, period);
  if (isNewLength && !isTrial) subscription.billing_cycle_anchor = books.now;
  const hidden = await books.hiddenOf('subscription', subscription.id);
  const pending = [...(hidden.pendingLines ?? []), ...adjustments];
  await books.put(subscription, { ...hidden, pendingLines: pending });
  if (!isTrial && (isNewLength || proration === 'always_invoice')) {
    await invoiceNow(books, subscription, {
      lines: isNewLength ? linesOf(prices, lines) : [],
      period,
      reason: 'subscription_update',
    });
  }
  await books.emit('customer.subscription.updated', subscription, before);
  return subscription;
}

function prorated(
  subscription: Stripe.Subscription,
  prices: Stripe.Price[],
  lines: Ordered[],
  share: number,
  isNewLength: boolean,
): { amount: number; description: string }[] {
  const sumOf = (given: Line[]) => Math.round(given.reduce((sum, { amount }) => sum + amount, 0) * share);
  const old = subscription.items.data;
  const unused = sumOf(
    linesOf(
      old.map(({ price }) => price),
      old.map(({ price, quantity }) => ({ price: price.id, quantity: quantity ?? 1 })),
    ),
  );
  const back = { amount: -unused, description: 'Unused time of the plan before' };
  // A new length starts its own period, which is charged in full.
  if (isNewLength) return [back];
  return [back, { amount: sumOf(linesOf(prices, lines)), description: 'Remaining time of the new plan' }];
}

/** An invoice of these lines and everything pending for the next one. */
export async function invoiceNow(
  books: Books,
  subscription: Stripe.Subscription,
  {
    lines,
    period,
    reason,
  }: { lines: Line[]; period: { start: number; end: number }; reason: Stripe.Invoice.BillingReason },
): Promise<boolean> {
  const hidden = await books.hiddenOf('subscription', subscription.id);
  const waiting = (hidden.pendingLines ?? []).map((line) => ({ ...line, quantity: 1, price: null }));
  const invoice = await makeInvoice(books, subscription, { lines: [...waiting, ...lines], reason, period });
  subscription.latest_invoice = invoice.id;
  const isPaid = await collect(books, invoice, subscription, { isLater: true });
  await books.put(subscription, { ...afterInvoice(hidden), usageFrom: books.now });
  return isPaid;
}

/** The amount for a whole new period: the prices as they are, and the metered usage of the previous period. */
export async function renewalLines(books: Books, subscription: Stripe.Subscription): Promise<Line[]> {
  const { usageFrom = 0 } = await books.hiddenOf('subscription', subscription.id);
  const lines: Line[] = [];
  for (const { price, quantity: fixed } of subscription.items.data) {
    const isMetered = price.recurring?.usage_type === 'metered';
    const quantity = isMetered
      ? await usedUnits(books, {
          meter: price.recurring?.meter ?? '',
          customer: idOf(subscription.customer),
          from: usageFrom,
          until: books.now,
        })
      : (fixed ?? 1);
    lines.push({
      amount: (price.unit_amount ?? 0) * quantity,
      quantity,
      price,
      description: `${quantity} × ${price.nickname ?? idOf(price.product)}`,
    });
  }
  return lines;
}
