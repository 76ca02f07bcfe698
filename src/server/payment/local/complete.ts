import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { amountsOf } from './checkout.ts';
import { pay } from './charges.ts';
import { attachCard, createCustomer, useCard } from './customers.ts';
import { redeem, usableCoupon } from './discounts.ts';
import { idOf, newId, word, type Card, type Hidden, type Order } from './kinds.ts';
import { DAY_SECONDS } from './periods.ts';
import { subscribe } from './subscriptions.ts';

export interface Buyer {
  email: string;
  name: string;
  /** Null if nothing is due and no card was requested. */
  card: Card | null;
}

/**
 * What happens after "Pay" is pressed: payment, subscription or saved card, the events about them and the end of the
 * session, all in the transaction of `books`. False if the card was declined: then the session stays open.
 */
export async function complete(
  books: Books,
  session: Stripe.Checkout.Session,
  buyer: Buyer,
): Promise<boolean> {
  const { order } = await books.hiddenOf('checkout.session', session.id);
  if (!order) return false;
  const isRefusing = buyer.card?.behaviour === 'declines';
  // A declined card creates no customer.
  if (isRefusing && session.mode !== 'payment') return false;
  const customer = await customerFor(books, session, buyer);
  const method = buyer.card ? await attachCard(books, customer, confirmed(buyer.card)) : null;
  const isPaid = await takeWhatIsDue(books, { session, order, customer, method, email: buyer.email });
  if (!isPaid) return false;
  if (customer !== null && method && session.mode !== 'payment') await useCard(books, customer, method.id);
  Object.assign(session, await amountsOf(books, order));
  session.status = 'complete';
  session.url = null;
  session.customer = customer;
  session.payment_status =
    session.amount_total === 0 || session.mode === 'setup' ? 'no_payment_required' : 'paid';
  session.customer_details = {
    address: null,
    business_name: null,
    email: buyer.email,
    individual_name: null,
    name: buyer.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
  await books.put(session, { order: { ...order, asked: null } });
  await books.emit('checkout.session.completed', session);
  return true;
}

async function customerFor(
  books: Books,
  session: Stripe.Checkout.Session,
  { email, name }: Buyer,
): Promise<string | null> {
  const known = idOf(session.customer);
  if (known !== null) return known;
  if (session.mode === 'payment' && session.customer_creation !== 'always') return null;
  return (await createCustomer(books, { email, name })).id;
}

/** A confirmed card pays like any other. */
function confirmed(card: Card): Card {
  return card.behaviour === 'asks' ? { ...card, behaviour: 'pays' } : card;
}

interface Due {
  session: Stripe.Checkout.Session;
  order: Order;
  customer: string | null;
  method: Stripe.PaymentMethod | null;
  email: string;
}

function takeWhatIsDue(books: Books, due: Due): Promise<boolean> {
  switch (due.session.mode) {
    case 'payment':
      return takePayment(books, due);
    case 'subscription':
      return beginSubscription(books, due);
    case 'setup':
    default:
      return saveCard(books, due);
  }
}

async function takePayment(books: Books, { session, order, customer, method, email }: Due): Promise<boolean> {
  const { amount_total: amount } = await amountsOf(books, order);
  if (amount === 0 || amount === null) return useCoupon(books, order).then(() => true);
  if (!method) return false;
  const { intent, isPaid } = await pay(books, {
    amount,
    currency: session.currency ?? 'usd',
    customer,
    method,
    description: order.description,
    metadata: order.metadata,
    feeAmount: order.feeAmount,
    destination: order.destination,
    isLater: false,
    email,
  });
  if (!isPaid) return false;
  session.payment_intent = intent.id;
  await useCoupon(books, order);
  return true;
}

async function beginSubscription(books: Books, { session, order, customer, method }: Due): Promise<boolean> {
  const trialEnd = order.trialDays === null ? order.trialEnd : books.now + order.trialDays * DAY_SECONDS;
  const subscription = await subscribe(books, {
    customer: customer ?? '',
    lines: order.lines,
    method,
    trialEnd,
    feePercent: order.feePercent,
    destination: order.destination,
    metadata: order.metadata,
    description: order.description,
    cancelWithoutCard: order.cancelWithoutCard,
    coupon: await useCoupon(books, order),
  });
  if (!subscription) return false;
  session.subscription = subscription.id;
  session.invoice = idOf(subscription.latest_invoice);
  return true;
}

async function useCoupon(books: Books, { coupon: id, addedCode }: Order): Promise<Hidden['coupon']> {
  const coupon = id === null ? undefined : await usableCoupon(books, id);
  return coupon && redeem(books, coupon, addedCode);
}

async function saveCard(books: Books, { session, order, customer, method }: Due): Promise<boolean> {
  if (!method) return false;
  const intentId = newId('setup_intent');
  const intent = {
    id: intentId,
    object: 'setup_intent',
    client_secret: `${intentId}_secret_${word()}`,
    created: books.now,
    customer,
    description: order.description,
    livemode: false,
    metadata: order.metadata,
    payment_method: method.id,
    payment_method_types: ['card'],
    status: 'succeeded',
    usage: 'off_session',
  } as unknown as Stripe.SetupIntent;
  await books.put(intent);
  await books.emit('setup_intent.succeeded', intent);
  session.setup_intent = intentId;
  return true;
}
