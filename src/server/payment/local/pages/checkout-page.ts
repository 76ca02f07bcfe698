import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { readCard, type CardFault } from '../cards.ts';
import { amountsOf, lineItems } from '../checkout.ts';
import { complete, type Buyer } from '../complete.ts';
import { codeNamed, couponIdOf, isCodeThere, usableCoupon } from '../discounts.ts';
import { idOf, type Card, type Said } from '../kinds.ts';
import {
  again,
  button,
  day,
  field,
  form,
  goTo,
  linkTo,
  originsOf,
  page,
  problem,
  type PageAnswer,
} from './html.ts';
import { money, text } from '../../../html.ts';

export type Typed = Record<string, string>;

const faults: Record<CardFault, string> = {
  number: 'Only test cards are taken here, for example 4242 4242 4242 4242. Do not enter a real card.',
  expiry: 'Enter a month and year in the future, like 12/34.',
  'security code': 'Enter any three or four digits.',
};
const declined = 'Your card was declined. Try another one.';
const codeIsOver = 'This promotion code can no longer be used. The price no longer includes it.';

export async function showCheckout(books: Books, sessionId: string, isSaying: boolean): Promise<PageAnswer> {
  const session = await books.get('checkout.session', sessionId);
  if (session.status === 'expired')
    return page('This checkout has expired', backTo(session), { status: 410 });
  if (session.status === 'complete')
    return page(
      'This checkout is complete',
      `<p>There is nothing more to do here.</p>${linkTo(afterwards(session), 'Go on')}`,
    );
  const { order, said = {} } = await books.hiddenOf('checkout.session', sessionId);
  if (order?.asked) return confirmation(session);
  return checkout(books, session, isSaying ? said : { ...said, message: undefined });
}

/** From that exact moment, even before it is noticed and reported. */
function isOver({ status, expires_at: end }: Stripe.Checkout.Session, now: number): boolean {
  return status === 'expired' || (status === 'open' && end <= now);
}

export async function postCheckout(books: Books, sessionId: string, typed: Typed): Promise<PageAnswer> {
  const session = await books.get('checkout.session', sessionId);
  if (session.status !== 'open' || isOver(session, books.now)) return again(sessionId, false);
  switch (typed['action'] ?? 'pay') {
    case 'code':
      return addCode(books, session, typed);
    case 'confirm':
    case 'refuse':
      return answerConfirmation(books, session, typed['action'] === 'confirm');
    default:
      return buy(books, session, typed);
  }
}

async function buy(books: Books, session: Stripe.Checkout.Session, typed: Typed): Promise<PageAnswer> {
  const email = await emailOf(books, session, typed);
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return say(books, session, typed, 'Enter your e-mail address.');
  const { order } = await books.hiddenOf('checkout.session', session.id);
  const card = needsCard(session)
    ? readCard({ number: typed['number'] ?? '', expiry: typed['expiry'] ?? '', code: typed['code'] ?? '' })
    : null;
  if (typeof card === 'string') return say(books, session, typed, faults[card]);
  const name = (typed['name'] ?? '').slice(0, 200);
  if (card?.behaviour === 'asks' && order) {
    await books.put(session, { order: { ...order, asked: { card, email, name } } });
    return goTo(addressOf(session));
  }
  return finish(books, session, { email, name, card }, typed);
}

async function finish(
  books: Books,
  session: Stripe.Checkout.Session,
  buyer: Buyer,
  typed: Typed,
): Promise<PageAnswer> {
  if (await dropCode(books, session)) return say(books, session, typed, codeIsOver);
  if (await complete(books, session, buyer)) return goTo(afterwards(session));
  return say(books, await books.get('checkout.session', session.id), typed, declined);
}

async function answerConfirmation(
  books: Books,
  session: Stripe.Checkout.Session,
  isConfirmed: boolean,
): Promise<PageAnswer> {
  const { order } = await books.hiddenOf('checkout.session', session.id);
  const asked = order?.asked;
  if (!order || !asked) return goTo(addressOf(session));
  await books.put(session, { order: { ...order, asked: null } });
  const card: Card = isConfirmed ? asked.card : { ...asked.card, behaviour: 'declines' };
  return finish(books, session, { ...asked, card }, { email: asked.email, name: asked.name });
}

async function addCode(books: Books, session: Stripe.Checkout.Session, typed: Typed): Promise<PageAnswer> {
  const code = session.allow_promotion_codes ? await codeNamed(books, typed['promotion'] ?? '') : undefined;
  const coupon = code && (await usableCoupon(books, couponIdOf(code)));
  const { order } = await books.hiddenOf('checkout.session', session.id);
  if (!code || !coupon || !order) return say(books, session, typed, 'This code is not valid.');
  const changed = { ...order, coupon: coupon.id, addedCode: code.id };
  Object.assign(session, await amountsOf(books, changed), {
    discounts: [{ coupon: coupon.id, promotion_code: code.id }],
  });
  await books.put(session, { order: changed });
  return again(session.id, false);
}

/** Removes the discount of a code that can no longer be used, before anything is paid. False: there is none. */
async function dropCode(books: Books, session: Stripe.Checkout.Session): Promise<boolean> {
  const { order } = await books.hiddenOf('checkout.session', session.id);
  if (!order || order.addedCode === null || (await isCodeThere(books, order.addedCode))) return false;
  const changed = { ...order, coupon: null, addedCode: null };
  Object.assign(session, await amountsOf(books, changed), { discounts: [] });
  await books.put(session, { order: changed });
  return true;
}

/** Of the input, the card is stored nowhere. */
async function say(
  books: Books,
  session: Stripe.Checkout.Session,
  typed: Typed,
  message: string,
): Promise<PageAnswer> {
  const hidden = await books.hiddenOf('checkout.session', session.id);
  const said = { message, email: typed['email']?.slice(0, 320), name: typed['name']?.slice(0, 200) };
  await books.put(session, { ...hidden, said });
  return again(session.id);
}

async function checkout(
  books: Books,
  session: Stripe.Checkout.Session,
  { message, ...typed }: Said,
): Promise<PageAnswer> {
  const { order } = await books.hiddenOf('checkout.session', session.id);
  const email = await emailOf(books, session, typed);
  const address = addressOf(session);
  const buyer =
    field({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'email' }) +
    field({
      name: 'name',
      label: 'Name',
      value: typed.name ?? '',
      autocomplete: 'name',
      isOptional: true,
    });
  const trial = order?.trialDays
    ? `<p>${order.trialDays} day${order.trialDays === 1 ? '' : 's'} free, then as shown. Nothing is due today.</p>`
    : '';
  const content = [
    await summary(books, session),
    trial,
    problem(message),
    codeForm(session, address),
    form(
      address,
      buyer +
        (needsCard(session) ? cardFields() : '') +
        button(labels[session.mode as keyof typeof labels], 'pay'),
    ),
    backTo(session),
  ];
  return page('Checkout', content.join('\n'), {
    leadsTo: originsOf(session.success_url, session.cancel_url),
  });
}

const labels = { payment: 'Pay', subscription: 'Subscribe', setup: 'Save card' };

/** No card is requested if nothing is due and the session said so. */
function needsCard({
  mode,
  amount_total: amount,
  payment_method_collection: collection,
}: Stripe.Checkout.Session): boolean {
  if (mode === 'setup') return true;
  return (amount ?? 0) > 0 || (mode === 'subscription' && collection === 'always');
}

async function emailOf(books: Books, session: Stripe.Checkout.Session, typed: Said): Promise<string> {
  const customer = await books.find('customer', idOf(session.customer) ?? '');
  const known = customer && 'email' in customer ? customer.email : session.customer_email;
  return (known ?? typed.email ?? '').trim().slice(0, 320);
}

export function cardFields(): string {
  return `<fieldset><legend class="soft">Card</legend>${field({ name: 'number', label: 'Card number', autocomplete: 'cc-number', inputmode: 'numeric', hint: 'A test card: 4242 4242 4242 4242 pays.' })}${field({ name: 'expiry', label: 'Expiry (MM/YY)', autocomplete: 'cc-exp', hint: 'Any month to come.' })}${field({ name: 'code', label: 'Security code', autocomplete: 'cc-csc', inputmode: 'numeric', hint: 'Any three digits.' })}</fieldset>
<details><summary>More test cards</summary><ul><li>4000 0000 0000 0002 is declined</li><li>4000 0025 0000 3155 asks for confirmation</li><li>4000 0000 0000 0341 pays now and fails at renewals</li><li>4000 0000 0000 0259 pays and is disputed</li></ul></details>`;
}

async function summary(books: Books, session: Stripe.Checkout.Session): Promise<string> {
  if (session.mode === 'setup') return '<p>Save a card for later. Nothing is paid now.</p>';
  const { data } = (await lineItems(books, session.id)) as {
    data: { price: Stripe.Price; amount_total: number }[];
  };
  const rows: string[] = [];
  for (const { price, amount_total: amount } of data) {
    const product = await books.find('product', idOf(price.product));
    const every = price.recurring
      ? ` every ${price.recurring.interval_count > 1 ? `${price.recurring.interval_count} ` : ''}${price.recurring.interval}`
      : '';
    rows.push(
      `<li class="row"><span>${text(product && 'name' in product ? product.name : price.id)}</span><span>${text(money(amount, session.currency) + every)}</span></li>`,
    );
  }
  const off = session.total_details?.amount_discount ?? 0;
  if (off > 0)
    rows.push(
      `<li class="row"><span>Discount</span><span>−${text(money(off, session.currency))}</span></li>`,
    );
  rows.push(
    `<li class="row total"><span>Due today</span><span>${text(money(session.amount_total, session.currency))}</span></li>`,
  );
  return `<ul>${rows.join('')}</ul>`;
}

function codeForm(session: Stripe.Checkout.Session, address: string): string {
  if (!session.allow_promotion_codes) return '';
  return form(
    address,
    field({ name: 'promotion', label: 'Promotion code' }) + button('Apply', 'code', 'plain'),
  );
}

function confirmation(session: Stripe.Checkout.Session): PageAnswer {
  const content = `<p>Your bank asks whether you make this payment of ${text(money(session.amount_total, session.currency))}.</p>
${form(addressOf(session), `${button('Yes, confirm', 'confirm')} ${button('No, refuse', 'refuse', 'plain')}`)}
<p class="soft">This step stands for the confirmation of a bank. Expires on ${text(day(session.expires_at))}.</p>`;
  return page('Confirm the payment', content, { leadsTo: originsOf(session.success_url) });
}

function addressOf(session: Stripe.Checkout.Session): string {
  return URL.parse(session.url ?? '')?.pathname ?? '';
}

function afterwards({ id, success_url: url }: Stripe.Checkout.Session): string {
  return (url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', id).replaceAll('%7BCHECKOUT_SESSION_ID%7D', id);
}

function backTo({ cancel_url: url }: Stripe.Checkout.Session): string {
  return linkTo(url, 'Back without paying');
}
