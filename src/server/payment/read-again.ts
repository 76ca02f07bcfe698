import Stripe from 'stripe';

type Options = { stripeAccount?: string };
type Reader = (stripe: Stripe, id: string, options: Options) => Promise<object>;

/** Every kind of object that effects may request. */
const readers = {
  account: (stripe, id, options) => stripe.accounts.retrieve(id, {}, options),
  application_fee: (stripe, id, options) => stripe.applicationFees.retrieve(id, {}, options),
  charge: (stripe, id, options) => stripe.charges.retrieve(id, {}, options),
  'checkout.session': (stripe, id, options) => stripe.checkout.sessions.retrieve(id, {}, options),
  customer: (stripe, id, options) => stripe.customers.retrieve(id, {}, options),
  dispute: (stripe, id, options) => stripe.disputes.retrieve(id, {}, options),
  invoice: (stripe, id, options) => stripe.invoices.retrieve(id, {}, options),
  payment_intent: (stripe, id, options) => stripe.paymentIntents.retrieve(id, {}, options),
  price: (stripe, id, options) => stripe.prices.retrieve(id, {}, options),
  product: (stripe, id, options) => stripe.products.retrieve(id, {}, options),
  refund: (stripe, id, options) => stripe.refunds.retrieve(id, {}, options),
  subscription: (stripe, id, options) => stripe.subscriptions.retrieve(id, {}, options),
} satisfies Record<string, Reader>;

/** Distinguished by their `object`. */
export type ReadObject =
  | Stripe.Account
  | Stripe.ApplicationFee
  | Stripe.Charge
  | Stripe.Checkout.Session
  | Stripe.Customer
  | Stripe.DeletedCustomer
  | Stripe.Dispute
  | Stripe.Invoice
  | Stripe.PaymentIntent
  | Stripe.Price
  | Stripe.Product
  | Stripe.Refund
  | Stripe.Subscription;

/** An event's object as it is now: events arrive late and in any order. Undefined if it is gone. */
export async function readAgain(stripe: Stripe, event: Stripe.Event): Promise<ReadObject | undefined> {
  const { id = '', object } = event.data.object as { id?: string; object: string };
  const reader = Object.hasOwn(readers, object) ? (readers as Record<string, Reader>)[object] : undefined;
  if (!reader) return undefined;
  // An account is the platform's object, even if the account's own event reports it.
  const isTheirs = event.account !== undefined && object !== 'account';
  try {
    return (await reader(
      stripe,
      id,
      isTheirs ? { stripeAccount: event.account as string } : {},
    )) as ReadObject;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
      return undefined;
    throw error;
  }
}
