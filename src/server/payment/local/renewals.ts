import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { setClock } from './ledger.ts';
import { idOf } from './kinds.ts';
import { cardOf } from './charges.ts';
import { collect, RETRY_DAYS } from './invoices.ts';
import { addInterval, DAY_SECONDS } from './periods.ts';
import { cancelNow, change, invoiceNow, periodOf, renewalLines } from './subscriptions.ts';

/** How long before its end a trial's end is announced. */
const TRIAL_NOTICE_SECONDS = 3 * DAY_SECONDS;
/** Guards against a clock set so far ahead that the renewals would never end. */
const STEPS_MAX = 2000;

interface Due {
  at: number;
  account: string;
  kind: 'checkout.session' | 'invoice' | 'subscription' | 'trial notice';
  id: string;
}

/** Everything that time alone causes until then, each at its own moment and in that order: renewals, trials, expiries. */
export async function passTime(books: Books, until: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const next = await nextDue(books, until);
    if (!next) break;
    await happen(books.of(next.account, Math.min(until, Math.max(next.at, 0))), next);
  }
}

export async function advanceClock(books: Books, until: number): Promise<void> {
  await passTime(books, until);
  await setClock(books.client, until);
}

async function nextDue({ client }: Books, until: number): Promise<Due | undefined> {
  const { rows } = await client.query<Due & { at: string }>(
    `select * from (
       select (body ->> 'expires_at')::bigint as at, account, kind, id from payment_local.object
        where kind = 'checkout.session' and body ->> 'status' = 'open'
       union all
       select (body ->> 'next_payment_attempt')::bigint, account, kind, id from payment_local.object
        where kind = 'invoice' and body ->> 'status' = 'open'
       union all
       select (body #>> '{items,data,0,current_period_end}')::bigint, account, kind, id from payment_local.object
        where kind = 'subscription' and body ->> 'status' in ('active', 'trialing', 'past_due')
       union all
       select (body ->> 'trial_end')::bigint - $2::bigint, account, 'trial notice', id from payment_local.object
        where kind = 'subscription' and body ->> 'status' = 'trialing' and not hidden ? 'trialEndTold'
     ) due where at <= $1 order by at, id limit 1`,
    [until, TRIAL_NOTICE_SECONDS],
  );
  return rows[0] && { ...rows[0], at: Number(rows[0].at) };
}

async function happen(books: Books, { kind, id }: Due): Promise<void> {
  switch (kind) {
    case 'checkout.session':
      return expire(books, await books.get(kind, id));
    case 'invoice':
      return retry(books, await books.get(kind, id));
    case 'subscription':
      return renew(books, await books.get(kind, id));
    case 'trial notice': {
      const subscription = await books.get('subscription', id);
      await books.put(subscription, { ...(await books.hiddenOf('subscription', id)), trialEndTold: true });
      return books.emit('customer.subscription.trial_will_end', subscription);
    }
  }
}

export async function expire(books: Books, session: Stripe.Checkout.Session): Promise<void> {
  session.status = 'expired';
  session.url = null;
  await books.put(session);
  await books.emit('checkout.session.expired', session);
}

async function renew(books: Books, subscription: Stripe.Subscription): Promise<void> {
  if (subscription.cancel_at_period_end) return void (await cancelNow(books, subscription));
  if (subscription.status === 'trialing') return endTrial(books, subscription);
  await nextPeriod(books, subscription, periodOf(subscription).end);
}

/** Billing starts. Without a card the subscription ends, if that was requested. */
export async function endTrial(books: Books, subscription: Stripe.Subscription): Promise<void> {
  const card = await cardOf(books, idOf(subscription.customer), idOf(subscription.default_payment_method));
  const isEnding = subscription.trial_settings?.end_behavior.missing_payment_method === 'cancel';
  if (!card && isEnding) return void (await cancelNow(books, subscription));
  subscription.billing_cycle_anchor = books.now;
  subscription.trial_end = books.now;
  await nextPeriod(books, subscription, books.now);
}

async function nextPeriod(books: Books, subscription: Stripe.Subscription, start: number): Promise<void> {
  const { status, items } = subscription;
  const before = { status, items: structuredClone(items) };
  const lines = await renewalLines(books, subscription);
  const recurring = items.data[0]?.price.recurring;
  const end = addInterval(
    start,
    recurring?.interval ?? 'month',
    recurring?.interval_count ?? 1,
    subscription.billing_cycle_anchor,
  );
  for (const item of items.data)
    Object.assign(item, { current_period_start: start, current_period_end: end });
  const isPaid = await invoiceNow(books, subscription, {
    lines,
    period: { start, end },
    reason: 'subscription_cycle',
  });
  subscription.status = isPaid ? 'active' : 'past_due';
  await books.put(subscription);
  await books.emit('customer.subscription.updated', subscription, before);
}

async function retry(books: Books, invoice: Stripe.Invoice): Promise<void> {
  const subscription = await books.get(
    'subscription',
    idOf(invoice.parent?.subscription_details?.subscription) ?? '',
  );
  if (subscription.status === 'canceled') {
    invoice.next_payment_attempt = null;
    return books.put(invoice);
  }
  const isPaid = await collect(books, invoice, subscription, { isLater: true });
  if (isPaid) await change(books, subscription, { status: 'active' });
  else if (invoice.attempt_count > RETRY_DAYS.length) await cancelNow(books, subscription, 'payment_failed');
}
