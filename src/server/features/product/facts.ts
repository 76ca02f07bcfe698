import type Stripe from 'stripe';
import { idOf } from '../../payment/reach.ts';
import type { StoredPayment, StoredPurchase } from './purchase-store.ts';

/** The state of a purchase at the provider now, whatever events said. Read by the IDs we store, at the account we store. */

export interface Facts {
  session: Stripe.Checkout.Session;
  subscription: (Stripe.Subscription & { latest_invoice: Stripe.Invoice | null }) | undefined;
  /** The payments that were read: the newest, and the one an event is about. */
  payments: Omit<StoredPayment, 'organizationId' | 'agentId' | 'purchaseId'>[];
}

/** How many of a subscription's newest invoices are read. */
const INVOICES_LOOKED_AT = 3;

/** Undefined while nothing exists at the provider. */
export async function readFacts(
  stripe: Stripe,
  { accountId, sessionId, terms }: Pick<StoredPurchase, 'accountId' | 'sessionId' | 'terms'>,
  intentIds: readonly string[],
): Promise<Facts | undefined> {
  if (accountId === null || sessionId === null) return undefined;
  const at = { stripeAccount: accountId };
  const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ['line_items'] }, at);
  const subscriptionId = idOf(session.subscription);
  const subscription =
    subscriptionId === null
      ? undefined
      : ((await stripe.subscriptions.retrieve(
          subscriptionId,
          { expand: ['latest_invoice'] },
          at,
        )) as unknown as NonNullable<Facts['subscription']>);
  const paid = await intentsOf(stripe, session, at);
  const payments: Facts['payments'] = [];
  for (const id of new Set([...paid, ...intentIds])) {
    const charge = await readCharge(stripe, id, at);
    if (!charge) continue;
    const fee = await keptFee(stripe, charge, terms);
    payments.push({ ...paymentOf(id, charge, fee), isDisputed: await isDisputed(stripe, id, charge, at) });
  }
  return { session, subscription, payments };
}

/** The payments of a session; for a subscription, the newest. */
export async function intentsOf(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
  at: Stripe.RequestOptions,
): Promise<string[]> {
  const subscription = idOf(session.subscription);
  if (subscription === null) return [idOf(session.payment_intent)].filter((id) => id !== null);
  const invoices = await stripe.invoices.list(
    { subscription, status: 'paid', limit: INVOICES_LOOKED_AT, expand: ['data.payments'] },
    at,
  );
  return invoices.data.flatMap(({ payments }) =>
    (payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []),
  );
}

/** Undefined if nothing was charged. */
export async function readCharge(
  stripe: Stripe,
  id: string,
  at: Stripe.RequestOptions,
): Promise<Stripe.Charge | undefined> {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }, at);
  const charge = intent.latest_charge;
  return intent.status === 'succeeded' && charge !== null && typeof charge !== 'string' ? charge : undefined;
}

/**
 * What the platform keeps of a payment, in the smallest unit of its currency. For a one-time payment the fee is set
 * before a promotion code can reduce the price; the excess is then returned, once. A refund also returns its share of
 * the fee.
 */
async function keptFee(
  stripe: Stripe,
  charge: Stripe.Charge,
  terms: StoredPurchase['terms'],
): Promise<number> {
  const asked = charge.application_fee_amount ?? 0;
  const feeId = idOf(charge.application_fee);
  const isWhole = !('amount' in terms) || terms.kind === 'recurring' || charge.amount >= terms.amount;
  if (feeId === null || (isWhole && charge.amount_refunded === 0)) return asked;
  const { amount_refunded: given } = await stripe.applicationFees.retrieve(feeId);
  const fair = isWhole ? asked : Math.round((asked * charge.amount) / terms.amount);
  if (given > 0 || asked <= fair) return asked - given;
  await stripe.applicationFees.createRefund(
    feeId,
    { amount: asked - fair },
    { idempotencyKey: `fair-${feeId}` },
  );
  return fair;
}

function paymentOf(
  id: string,
  { currency, amount, amount_refunded: refunded, created }: Stripe.Charge,
  fee: number,
): Omit<Facts['payments'][number], 'isDisputed'> {
  return { id, currency, amount, refunded, fee, paidAt: new Date(created * 1000) };
}

async function isDisputed(
  stripe: Stripe,
  id: string,
  { disputed }: Stripe.Charge,
  at: Stripe.RequestOptions,
): Promise<boolean> {
  return disputed && (await isLostSoFar(stripe, id, at));
}

/** A dispute that was won, or turned out to be none, takes nothing away. */
async function isLostSoFar(
  stripe: Stripe,
  payment_intent: string,
  at: Stripe.RequestOptions,
): Promise<boolean> {
  const { data } = await stripe.disputes.list({ payment_intent, limit: 100 }, at);
  return data.some(({ status }) => !['won', 'warning_closed', 'prevented'].includes(status));
}

/** Why this is not what was bought here; undefined: it matches. */
export function mismatchOf(
  { id, accountId, priceId, terms }: StoredPurchase,
  { session, subscription }: Facts,
  { account, isTestMode }: { account: string | undefined; isTestMode: boolean },
): string | undefined {
  if (terms.kind === 'free') return 'nothing is paid for it';
  if (account !== accountId) return 'it is of another account';
  if (session.client_reference_id !== id) return 'it is of another purchase';
  if (session.livemode === isTestMode) return 'it is of the other mode';
  if (session.currency !== terms.currency) return 'it has another currency';
  const [line, ...others] = session.line_items?.data ?? [];
  if (others.length > 0 || line?.quantity !== 1 || line.price?.id !== priceId) return 'it has another price';
  if (line.price.unit_amount !== terms.amount) return 'it is of another amount';
  const isTrial = terms.kind === 'recurring' && terms.trialDays > 0;
  if (session.amount_subtotal !== (isTrial ? 0 : terms.amount)) return 'it is of another amount';
  const isCheaper = (session.amount_total ?? 0) < (session.amount_subtotal ?? 0);
  if (isCheaper && !terms.allowsCoupons) return 'something was taken off';
  if ((terms.kind === 'recurring') !== (subscription !== undefined) && session.status === 'complete')
    return 'it is paid otherwise';
  return undefined;
}
