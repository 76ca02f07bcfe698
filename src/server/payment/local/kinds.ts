import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/** Every object that has an ID, by its own type name. */
export interface Kinds {
  account: Stripe.Account;
  application_fee: Stripe.ApplicationFee;
  'billing.meter': Stripe.Billing.Meter;
  'billing.meter_event': Stripe.Billing.MeterEvent & { id: string };
  'billing_portal.configuration': Stripe.BillingPortal.Configuration;
  'billing_portal.session': Stripe.BillingPortal.Session;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  coupon: Stripe.Coupon;
  customer: Stripe.Customer;
  dispute: Stripe.Dispute;
  event: Stripe.Event;
  fee_refund: Stripe.FeeRefund;
  invoice: Stripe.Invoice;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  price: Stripe.Price;
  product: Stripe.Product;
  promotion_code: Stripe.PromotionCode;
  refund: Stripe.Refund;
  setup_intent: Stripe.SetupIntent;
  subscription: Stripe.Subscription;
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock;
  webhook_endpoint: Stripe.WebhookEndpoint;
  /** Has no ID at Stripe; here its address contains one. */
  account_link: Stripe.AccountLink & { id: string };
}

export type Kind = keyof Kinds;

const prefixes: Record<Kind, string> = {
  account: 'acct_',
  account_link: 'acctlink_',
  application_fee: 'fee_',
  'billing.meter': 'mtr_test_',
  'billing.meter_event': 'mtrevt_',
  'billing_portal.configuration': 'bpc_',
  'billing_portal.session': 'bps_',
  charge: 'ch_',
  'checkout.session': 'cs_test_',
  coupon: '',
  customer: 'cus_',
  dispute: 'du_',
  event: 'evt_',
  fee_refund: 'fr_',
  invoice: 'in_',
  payment_intent: 'pi_',
  payment_method: 'pm_',
  price: 'price_',
  product: 'prod_',
  promotion_code: 'promo_',
  refund: 're_',
  setup_intent: 'seti_',
  subscription: 'sub_',
  'test_helpers.test_clock': 'clock_',
  webhook_endpoint: 'we_',
};

/** Whoever knows the ID can open its page, so it can't be guessable. */
export function newId(kind: Kind): string {
  return prefixes[kind] + word();
}

export function word(): string {
  return randomBytes(24).toString('hex');
}

/** The ID of something that may be an expanded object. */
export function idOf<T>(value: T | string): string;
export function idOf<T>(value: T | string | null | undefined): string | null;
export function idOf(value: string | { id?: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}

/** One line of a purchase. */
export interface Ordered {
  price: string;
  quantity: number;
  /** The existing item it replaces, whose ID it keeps. */
  item?: string;
}

export interface Card {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  behaviour: 'pays' | 'declines' | 'asks' | 'fails later' | 'is disputed';
}

/** What the provider knows about an object but doesn't reveal. */
export interface Hidden {
  /** Webhook endpoint: signs its deliveries. */
  secret?: string;
  /** Webhook endpoint: also receives events of connected accounts. */
  isConnect?: boolean;
  /** Payment method. */
  behaviour?: Card['behaviour'];
  /** Checkout session: what is bought, and how the results are created. */
  order?: Order;
  /** Subscription. */
  coupon?: { id: string; until: number | null; isOnce: boolean };
  pendingLines?: { amount: number; description: string }[];
  trialEndTold?: boolean;
  usageFrom?: number;
  /** Page: its message about the last action, and what was entered besides a card. */
  said?: Said;
  /** Onboarding link of an account. */
  accountId?: string;
  returnUrl?: string;
}

export interface Said {
  message?: string | undefined;
  email?: string | undefined;
  name?: string | undefined;
}

export interface Order {
  lines: Ordered[];
  coupon: string | null;
  feeAmount: number | null;
  feePercent: number | null;
  destination: string | null;
  trialEnd: number | null;
  trialDays: number | null;
  cancelWithoutCard: boolean;
  metadata: Record<string, string>;
  description: string | null;
  /** A card that asks the holder to confirm their identity. */
  asked: { card: Card; email: string; name: string } | null;
  addedCode: string | null;
}
