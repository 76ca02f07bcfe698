import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { readCard } from '../cards.ts';
import { cardOf } from '../charges.ts';
import { attachCard, useCard } from '../customers.ts';
import { payInvoice } from '../invoices.ts';
import { ApiError } from '../api-error.ts';
import { idOf } from '../kinds.ts';
import { cancelLater, cancelNow, changeItems, change, periodOf, type Proration } from '../subscriptions.ts';
import { cardFields, type Typed } from './checkout-page.ts';
import { money, text } from '../../../html.ts';
import { again, button, day, form, linkTo, page, problem, type PageAnswer } from './html.ts';

const SESSION_SECONDS = 3600;

interface Portal {
  isOver: boolean;
  session: Stripe.BillingPortal.Session;
  features: Stripe.BillingPortal.Configuration.Features;
}

async function open(books: Books, sessionId: string): Promise<Portal> {
  const session = await books.get('billing_portal.session', sessionId);
  const configuration = await books.get('billing_portal.configuration', idOf(session.configuration));
  const isOver = session.created + SESSION_SECONDS < books.now;
  return { session, isOver, features: configuration.features };
}

export async function showPortal(books: Books, sessionId: string, isSaying: boolean): Promise<PageAnswer> {
  const portal = await open(books, sessionId);
  if (portal.isOver) {
    const content = `<p>Open it again from where you came.</p>${linkTo(portal.session.return_url, 'Go back')}`;
    return page('This page has expired', content, { status: 410 });
  }
  const { said } = await books.hiddenOf('billing_portal.session', sessionId);
  return portalPage(books, portal, isSaying ? said?.message : undefined);
}

/** Only what the configuration offers, and only for this customer. */
export async function postPortal(books: Books, sessionId: string, typed: Typed): Promise<PageAnswer> {
  const portal = await open(books, sessionId);
  if (portal.isOver) return again(sessionId, false);
  const message = await act(books, portal, typed);
  await books.put(portal.session, { said: { message } });
  return again(sessionId, message !== undefined);
}

async function act(books: Books, portal: Portal, typed: Typed): Promise<string | undefined> {
  const { features, session } = portal;
  if (typed['action'] === 'card' && features.payment_method_update.enabled)
    return changeCard(books, session.customer, typed);
  if (typed['action'] === 'pay') return payOpen(books, session.customer, typed['invoice'] ?? '');
  const subscription = await books.get('subscription', typed['subscription'] ?? '');
  if (idOf(subscription.customer) !== session.customer || subscription.status === 'canceled')
    return 'This subscription has ended.';
  if (typed['action'] === 'cancel' && features.subscription_cancel.enabled)
    await cancel(books, subscription, features);
  if (typed['action'] === 'resume') await cancelLater(books, subscription, false);
  if (typed['action'] === 'plan') return changePlan(books, subscription, features, typed['price'] ?? '');
}

async function cancel(
  books: Books,
  subscription: Stripe.Subscription,
  { subscription_cancel: { mode } }: Portal['features'],
): Promise<void> {
  if (mode === 'immediately') await cancelNow(books, subscription);
  else await cancelLater(books, subscription, true);
}

async function changePlan(
  books: Books,
  subscription: Stripe.Subscription,
  features: Portal['features'],
  price: string,
): Promise<string | undefined> {
  const { enabled, products, proration_behavior: proration } = features.subscription_update;
  const isOffered = (products ?? []).some(({ prices }) => prices.includes(price));
  if (!enabled || !isOffered) return 'This plan is not offered.';
  const quantity = subscription.items.data[0]?.quantity ?? 1;
  await changeItems(books, subscription, [{ price, quantity }], proration as Proration);
}

async function changeCard(books: Books, customer: string, typed: Typed): Promise<string | undefined> {
  const card = readCard({
    number: typed['number'] ?? '',
    expiry: typed['expiry'] ?? '',
    code: typed['code'] ?? '',
  });
  if (typeof card === 'string') return `Check the card's ${card}; only test cards are taken.`;
  if (card.behaviour === 'declines') return 'This card was declined. Try another one.';
  const method = await attachCard(books, customer, card);
  await useCard(books, customer, method.id);
  const { data } = await books.list('subscription', { customer, status: { not: 'canceled' } });
  for (const subscription of data) await change(books, subscription, { default_payment_method: method.id });
}

async function payOpen(books: Books, customer: string, invoiceId: string): Promise<string | undefined> {
  const invoice = await books.get('invoice', invoiceId);
  if (idOf(invoice.customer) !== customer || invoice.status !== 'open') return 'This invoice is not open.';
  try {
    await payInvoice(books, invoiceId);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

async function portalPage(
  books: Books,
  { session, features }: Portal,
  message?: string,
): Promise<PageAnswer> {
  const address = URL.parse(session.url)?.pathname ?? '';
  const { customer } = session;
  const { data: subscriptions } = await books.list('subscription', { customer });
  const card = await cardOf(books, customer, null);
  const blocks: string[] = [];
  for (const each of subscriptions) blocks.push(await subscriptionBlock(books, each, features, address));
  const cards = features.payment_method_update.enabled
    ? `<h2>Card</h2><p>${card?.card ? `${text(card.card.brand)} ending in ${text(card.card.last4)}` : 'No card yet.'}</p>
<details><summary>Use another card</summary>${form(address, cardFields() + button('Save card', 'card'))}</details>`
    : '';
  const invoices = features.invoice_history.enabled ? await invoiceList(books, customer, address) : '';
  const content = [
    problem(message),
    '<h2>Subscriptions</h2>',
    blocks.join('') || '<p>None.</p>',
    cards,
    invoices,
    linkTo(session.return_url, 'Back'),
  ];
  return page('Your billing', content.join('\n'));
}

async function subscriptionBlock(
  books: Books,
  subscription: Stripe.Subscription,
  features: Portal['features'],
  address: string,
): Promise<string> {
  const [item] = subscription.items.data;
  const product = await books.find('product', idOf(item?.price.product) ?? '');
  const name = product && 'name' in product ? product.name : subscription.id;
  const { end } = periodOf(subscription);
  const state = subscription.cancel_at_period_end
    ? `ends on ${day(end)}`
    : subscription.status.replace('_', ' ');
  const own = ownField(subscription.id);
  const price = item
    ? `${money((item.price.unit_amount ?? 0) * (item.quantity ?? 1), item.price.currency)} every ${item.price.recurring?.interval}`
    : '';
  const rows = `<div class="row"><span>${text(name)}, ${text(state)}</span><span>${text(price)}</span></div>`;
  if (subscription.status === 'canceled') return rows;
  const ending = subscription.cancel_at_period_end
    ? form(address, own + button('Keep it', 'resume'))
    : features.subscription_cancel.enabled
      ? form(address, own + button('Cancel', 'cancel', 'plain'))
      : '';
  return rows + (await planForm(books, features, item?.price.id, address, subscription.id)) + ending;
}

function ownField(subscription: string): string {
  return `<input type="hidden" name="subscription" value="${text(subscription)}">`;
}

async function planForm(
  books: Books,
  features: Portal['features'],
  current: string | undefined,
  address: string,
  subscription: string,
): Promise<string> {
  const own = ownField(subscription);
  const id = `price-${subscription}`;
  const { enabled, products } = features.subscription_update;
  const offered = (products ?? []).flatMap(({ prices }) => prices).filter((price) => price !== current);
  if (!enabled || offered.length === 0) return '';
  const options: string[] = [];
  for (const each of offered) {
    const price = await books.find('price', each);
    if (!price) continue;
    const product = await books.find('product', idOf(price.product));
    const name = product && 'name' in product ? product.name : price.id;
    options.push(
      `<option value="${text(price.id)}">${text(name)}, ${text(money(price.unit_amount, price.currency))} every ${text(price.recurring?.interval)}</option>`,
    );
  }
  return form(
    address,
    `${own}<p class="field"><label for="${id}">Another plan</label><select id="${id}" name="price">${options.join('')}</select></p>${button('Change', 'plan')}`,
  );
}

async function invoiceList(books: Books, customer: string, address: string): Promise<string> {
  const { data } = await books.list('invoice', { customer }, { limit: 50 });
  const rows = data.map(({ id, number, created, total, currency, status }) => {
    const pay =
      status === 'open'
        ? form(address, `<input type="hidden" name="invoice" value="${text(id)}">${button('Pay now', 'pay')}`)
        : '';
    return `<li><div class="row"><span>${text(number)}, ${text(day(created))}</span><span>${text(money(total, currency))}, ${text(status)}</span></div>${pay}</li>`;
  });
  return `<h2>Invoices</h2><ul>${rows.join('') || '<li>None.</li>'}</ul>`;
}
