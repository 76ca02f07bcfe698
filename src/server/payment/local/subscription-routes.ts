import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { ApiError, invalid } from './api-error.ts';
import { idOf, type Ordered } from './kinds.ts';
import { anything, count, flag, id, int, listing, mergeMetadata, metadata, percent, word } from './params.ts';
import { endTrial } from './renewals.ts';
import { listOf, route, type Route } from './route.ts';
import { cancelLater, cancelNow, change, changeItems } from './subscriptions.ts';

const changedItem = z.strictObject({
  id: id.optional(),
  price: id.optional(),
  quantity: count.optional(),
  deleted: flag.optional(),
});
type ChangedItem = z.output<typeof changedItem>;

const fields = z.strictObject({
  ...anything,
  application_fee_percent: percent.optional(),
  cancel_at_period_end: flag.optional(),
  default_payment_method: id.optional(),
  description: word.optional(),
  items: z.array(changedItem).max(20).optional(),
  metadata: metadata.optional(),
  payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete']).optional(),
  proration_behavior: z.enum(['create_prorations', 'always_invoice', 'none']).default('create_prorations'),
  trial_end: z.union([z.literal('now'), int]).optional(),
});

async function update(
  books: Books,
  given: z.output<typeof fields>,
  subscriptionId: string,
): Promise<Stripe.Subscription> {
  const subscription = await living(books, subscriptionId);
  const { items, trial_end: trialEnd, cancel_at_period_end: isEnding } = given;
  const changes = changesOf(subscription, given);
  const method = given.default_payment_method;
  if (method !== undefined) {
    await books.get('payment_method', method, 'default_payment_method');
    changes.default_payment_method = method;
  }
  if (Object.keys(changes).length > 0) await change(books, subscription, changes);
  if (items) {
    await changeItems(books, subscription, orderedOf(subscription, items), given.proration_behavior);
    if (given.payment_behavior === 'error_if_incomplete') await requirePaid(books, subscription);
  }
  if (isEnding !== undefined) await cancelLater(books, subscription, isEnding);
  if (trialEnd !== undefined) await moveTrial(books, subscription, trialEnd);
  return subscription;
}

/** Otherwise the whole change is rolled back. */
async function requirePaid(books: Books, subscription: Stripe.Subscription): Promise<void> {
  const invoice = await books.find('invoice', idOf(subscription.latest_invoice));
  if (invoice?.status !== 'open') return;
  throw new ApiError(402, 'card_error', 'Your card was declined.', {
    code: 'card_declined',
    declineCode: 'generic_decline',
  });
}

function changesOf(
  subscription: Stripe.Subscription,
  { metadata, description, application_fee_percent: fee }: z.output<typeof fields>,
): Partial<Stripe.Subscription> {
  const changes: Partial<Stripe.Subscription> = {};
  if (metadata !== undefined) changes.metadata = mergeMetadata(subscription.metadata, metadata);
  if (description !== undefined) changes.description = description || null;
  if (fee !== undefined) changes.application_fee_percent = fee;
  return changes;
}

async function moveTrial(
  books: Books,
  subscription: Stripe.Subscription,
  end: 'now' | number,
): Promise<void> {
  if (subscription.status !== 'trialing') throw invalid('trial_end', 'The subscription is in no trial.');
  if (end === 'now') return endTrial(books, subscription);
  if (end <= books.now) throw invalid('trial_end', 'trial_end must be in the future.');
  for (const item of subscription.items.data) item.current_period_end = end;
  await change(books, subscription, { trial_end: end, billing_cycle_anchor: end });
}

/** The items after the change: unnamed ones stay as they are. */
function orderedOf(subscription: Stripe.Subscription, changed: ChangedItem[]): Ordered[] {
  const known = new Set(subscription.items.data.map(({ id }) => id));
  const odd = changed.findIndex(({ id }) => id !== undefined && !known.has(id));
  if (odd >= 0)
    throw invalid(
      `items[${odd}][id]`,
      `No such subscription item: '${changed[odd]?.id}'`,
      'resource_missing',
    );
  const kept = subscription.items.data.flatMap(({ id: item, price, quantity = 1 }) => {
    const given = changed.find(({ id }) => id === item);
    if (given?.deleted) return [];
    return [{ item, price: given?.price ?? price.id, quantity: given?.quantity ?? quantity }];
  });
  const added = changed.flatMap(({ id, price, quantity = 1 }) =>
    id === undefined && price !== undefined ? [{ price, quantity }] : [],
  );
  return [...kept, ...added];
}

async function living(books: Books, subscriptionId: string): Promise<Stripe.Subscription> {
  const subscription = await books.get('subscription', subscriptionId);
  if (subscription.status === 'canceled')
    throw invalid('id', 'A canceled subscription can only update its metadata.', 'subscription_canceled');
  return subscription;
}

const statuses = ['active', 'canceled', 'past_due', 'trialing', 'all'] as const;

export const subscriptionRoutes: Route[] = [
  route(
    'GET',
    '/v1/subscriptions',
    z.strictObject({ ...listing, customer: id.optional(), status: z.enum(statuses).optional() }),
    async (books, { customer, status, ...page }) => {
      const wanted = status === 'all' ? undefined : (status ?? { not: 'canceled' });
      return listOf(
        '/v1/subscriptions',
        await books.list('subscription', { customer, status: wanted }, page),
      );
    },
  ),
  route('GET', '/v1/subscriptions/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('subscription', id),
  ),
  route('POST', '/v1/subscriptions/:id', fields, (books, input, { id }) => update(books, input, id)),
  route('DELETE', '/v1/subscriptions/:id', z.strictObject(anything), async (books, _input, { id }) =>
    cancelNow(books, await living(books, id)),
  ),
];
