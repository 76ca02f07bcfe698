import * as z from 'zod';
import { AgentAddress, name, nextCursor, OwnPath, page, Search, text, Timestamp, words } from './common.ts';
import { idOf } from './id.ts';
import {
  ACCESS_DAYS_MAX,
  CHECKOUTS_PER_HOUR_AND_ADDRESS,
  FEATURE_MAX_CHARACTERS,
  FEATURES_A_PRODUCT_MAX,
  PRODUCT_CREDITS_MAX,
  PRODUCT_DESCRIPTION_MAX_CHARACTERS,
  PRODUCT_NAME_MAX_CHARACTERS,
  PRODUCT_PRICE_MAX_MINOR_UNITS,
  PRODUCT_PRICE_MIN_MINOR_UNITS,
  TOKEN_MAX_CHARACTERS,
  TRIAL_DAYS_MAX,
  UPGRADES_PER_MINUTE_AND_ADDRESS,
} from './limits.ts';
import { route } from './route.ts';

/**
 * `once`: a single payment, for some days or forever. `recurring`: paid every month or year. `pack`: credits that last
 * until used. `free`: costs nothing and includes a number of credits a month.
 */
export const productKinds = ['once', 'recurring', 'pack', 'free'] as const;
export type ProductKind = (typeof productKinds)[number];

export const currencies = ['usd', 'eur', 'gbp', 'chf', 'cad', 'aud', 'jpy'] as const;
export const priceIntervals = ['month', 'year'] as const;
/** `draft`: visible to members only. `active`: for sale. `archived`: no longer sold; buyers keep it. */
export const productStates = ['draft', 'active', 'archived'] as const;

/** In the currency's smallest unit, as at Stripe: 1900 is 19.00 USD, 1900 is 1,900 JPY. */
const Amount = z.number().int().min(PRODUCT_PRICE_MIN_MINOR_UNITS).max(PRODUCT_PRICE_MAX_MINOR_UNITS);
const Credits = z.number().int().min(1).max(PRODUCT_CREDITS_MAX);

/** How many of a product's credits an answer costs, if the product has credits. */
const costs = {
  creditsAMessage: z.number().int().min(0).max(1000).default(1),
  creditsAToolCall: z.number().int().min(0).max(1000).default(0),
};
const price = {
  amount: Amount,
  currency: z.enum(currencies),
  /** Whether the amount includes tax. Taxes are calculated if the Stripe account has them set up. */
  taxBehavior: z.enum(['unspecified', 'inclusive', 'exclusive']).default('unspecified'),
  allowsCoupons: z.boolean().default(true),
};

/** What the buyer pays, and what they get. Null credits: unlimited answers. */
export const PaymentConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('once'),
    ...price,
    ...costs,
    /** Null: forever. */
    accessDays: z.number().int().min(1).max(ACCESS_DAYS_MAX).nullable().default(null),
    credits: Credits.nullable().default(null),
  }),
  z.strictObject({
    kind: z.literal('recurring'),
    ...price,
    ...costs,
    interval: z.enum(priceIntervals),
    trialDays: z.number().int().min(0).max(TRIAL_DAYS_MAX).default(0),
    /** Per period; unused credits expire with it. */
    credits: Credits.nullable().default(null),
  }),
  z.strictObject({ kind: z.literal('pack'), ...price, ...costs, credits: Credits }),
  z.strictObject({ kind: z.literal('free'), ...costs, credits: Credits }),
]);
export type PaymentConfig = z.infer<typeof PaymentConfig>;

const featuresWith = (line: (maxCharacters: number) => z.ZodString) =>
  z
    .array(line(FEATURE_MAX_CHARACTERS))
    .max(FEATURES_A_PRODUCT_MAX)
    .default(() => []);

/** How it is presented. */
export const DetailsConfig = z.strictObject({
  name: text(PRODUCT_NAME_MAX_CHARACTERS, 1),
  description: text(PRODUCT_DESCRIPTION_MAX_CHARACTERS).default(''),
  features: featuresWith((max) => text(max, 1)),
  /** Presented as the recommended one. */
  isHighlighted: z.boolean().default(false),
});
export type DetailsConfig = z.infer<typeof DetailsConfig>;

/** The same as input: a given text must be readable, not blank. */
export const GivenDetails = DetailsConfig.extend({
  name: name(PRODUCT_NAME_MAX_CHARACTERS),
  features: featuresWith(words),
});

/** A pricing plan of an agent, sold to end users through the organization's account at the payment provider. */
export const Product = z.object({
  id: idOf('product'),
  organizationId: idOf('organization'),
  agentId: idOf('agent'),
  state: z.enum(productStates),
  /** At the payment provider; null: it costs nothing, or hasn't been for sale yet. */
  priceId: z.string().nullable(),
  paymentConfig: PaymentConfig,
  detailsConfig: DetailsConfig,
  /** People who currently have it. */
  entitled: z.number().int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Product = z.infer<typeof Product>;

/** What everyone sees of a product that is for sale. */
export const Offer = z.object({
  id: idOf('product'),
  paymentConfig: PaymentConfig,
  detailsConfig: DetailsConfig,
});
export type Offer = z.infer<typeof Offer>;

/** `trialing` and `active` open the chat. `past-due`: a renewal was refused and is being retried; still open. */
export const entitlementStates = ['active', 'trialing', 'past-due', 'ended', 'refunded', 'disputed'] as const;

/** A person's right to chat with an agent, granted by a product. */
export const Entitlement = z.object({
  id: idOf('entitlement'),
  productId: idOf('product'),
  agentId: idOf('agent'),
  state: z.enum(entitlementStates),
  kind: z.enum(productKinds),
  name: z.string(),
  /** Null: unlimited. */
  creditsLeft: z.number().int().nullable(),
  /** Null: never. */
  endsAt: Timestamp.nullable(),
  /** True: it renews at `endsAt`; false: it ends then. */
  renews: z.boolean(),
  createdAt: Timestamp,
});
export type Entitlement = z.infer<typeof Entitlement>;

/** `pending`: not paid (yet); only the provider's word counts, never the browser's. */
export const purchaseStates = ['pending', 'paid', 'expired', 'refunded', 'disputed', 'ended'] as const;

export const Purchase = z.object({
  id: idOf('purchase'),
  productId: idOf('product'),
  agentId: idOf('agent'),
  state: z.enum(purchaseStates),
  name: z.string(),
  /** The product's price, before any promotion code; 0 if it costs nothing. */
  amount: z.number().int(),
  /** Null if it costs nothing. */
  currency: z.enum(currencies).nullable(),
  createdAt: Timestamp,
});
export type Purchase = z.infer<typeof Purchase>;

/** With the total paid for it so far, over all renewals and net of promotion codes, and how much of that was refunded. */
const PaidPurchase = Purchase.extend({ paid: z.number().int(), refunded: z.number().int() });

const byId = z.strictObject({ id: idOf('product') });

export const product = {
  list: route({
    method: 'GET',
    path: '/v1/billing/product',
    summary: 'The pricing plans of an agent',
    input: z.strictObject({ agentId: idOf('agent') }),
    output: z.object({ products: z.array(Product) }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/billing/product/{id}',
    summary: 'Read a pricing plan',
    input: byId,
    output: z.object({ product: Product }),
  }),
  /** Creates a draft to fill in. Errors: 402 `quota/exceeded` when the plan allows no more. */
  create: route({
    method: 'POST',
    path: '/v1/billing/product',
    summary: 'Create a pricing plan',
    input: z.strictObject({ organizationId: idOf('organization'), agentId: idOf('agent') }),
    output: z.object({ product: Product }),
  }),
  /**
   * Changes the given fields. A new amount creates a new price at the provider; existing buyers keep the old one.
   * `priceId` adopts a price that already exists in the organization's account, with its amount, currency and interval.
   * Making it `active` needs a connected account that can take payments, unless it is free. Errors: 404 for a price of
   * another account, 400 for a price of zero, 409 `payment/account-needed`.
   */
  update: route({
    method: 'PUT',
    path: '/v1/billing/product/{id}',
    summary: 'Change a pricing plan',
    input: z.strictObject({
      id: idOf('product'),
      priceId: text(255, 1).optional(),
      paymentConfig: PaymentConfig.optional(),
      detailsConfig: GivenDetails.optional(),
      state: z.enum(productStates).optional(),
    }),
    output: z.object({ product: Product }),
  }),
  /** A product that was bought is archived, so that its buyers keep it; any other is deleted. */
  remove: route({
    method: 'DELETE',
    path: '/v1/billing/product/{id}',
    summary: 'Delete a pricing plan',
    input: byId,
    output: z.object({ deleted: z.literal(true) }),
  }),
};

export const purchase = {
  /** What an agent has for sale. Empty: anyone who may see it may chat. `chatbotId` is its id or handle. */
  offers: route({
    method: 'GET',
    path: '/v1/offer/{chatbotId}',
    summary: 'What an agent has for sale',
    access: 'public',
    visitors: true,
    input: z.strictObject({ chatbotId: AgentAddress }),
    output: z.object({ offers: z.array(Offer), isTestMode: z.boolean() }),
  }),
  /** The caller's purchases from an agent, and whether they may chat with it now. */
  standing: route({
    method: 'GET',
    path: '/v1/offer/{chatbotId}/standing',
    summary: 'My access to an agent',
    access: 'chat',
    input: z.strictObject({ chatbotId: AgentAddress }),
    output: z.object({ isForSale: z.boolean(), mayChat: z.boolean(), entitlements: z.array(Entitlement) }),
  }),
  /**
   * Starts buying a product. `url` leads to the provider's page and back; null when nothing needs to be paid and the
   * caller has it now. Repeating it within the hour returns the same purchase. Errors: 409 `payment/owned` for
   * something already owned that can only be owned once, 409 `payment/account-needed`, 503 `payment/unavailable`.
   */
  begin: route({
    method: 'POST',
    path: '/v1/billing/product/{id}/checkout',
    summary: 'Buy a product',
    access: 'chat',
    limit: { requests: CHECKOUTS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({
      id: idOf('product'),
      /** Where to return to; a conversation must be the caller's own. */
      conversationId: idOf('conversation').optional(),
    }),
    output: z.object({ purchase: Purchase, url: z.string().nullable() }),
  }),
  /** The caller's own. After payment it stays `pending` until the provider has confirmed it. */
  get: route({
    method: 'GET',
    path: '/v1/purchase/{id}',
    summary: 'Read a purchase of mine',
    access: 'chat',
    input: z.strictObject({ id: idOf('purchase') }),
    output: z.object({
      purchase: Purchase,
      agent: z.object({ id: idOf('agent'), name: z.string(), handle: z.string().nullable() }),
      conversationId: idOf('conversation').nullable(),
    }),
  }),
  /** Purchases that were started but not paid are left out. */
  list: route({
    method: 'GET',
    path: '/v1/purchase',
    summary: 'My purchases, newest first',
    access: 'user',
    input: z.strictObject({ cursor: page.cursor, count: page.count }),
    output: z.object({
      purchases: z.array(PaidPurchase.extend({ agentName: z.string(), entitlement: Entitlement.nullable() })),
      nextCursor,
    }),
  }),
  /** The provider's page for changing the card and canceling the subscription. */
  portal: route({
    method: 'POST',
    path: '/v1/purchase/{id}/portal',
    summary: 'Manage my subscription',
    access: 'chat',
    input: z.strictObject({ id: idOf('purchase') }),
    output: z.object({ url: z.string() }),
  }),
  /**
   * A signed-in person presents the token of the guest or visitor they were: that identity's purchases, and a visitor's
   * conversations, become theirs. The token alone is the proof; `stripeConnectCustomerId`, if given, must match the
   * stored one. Repeating it changes nothing. Errors: 400 for an invalid token, 404 for another customer.
   */
  upgrade: route({
    method: 'POST',
    path: '/v1/chatbot/authenticate/upgrade',
    summary: 'Claim what I bought as a guest or visitor',
    access: 'user',
    limit: { requests: UPGRADES_PER_MINUTE_AND_ADDRESS, seconds: 60 },
    input: z.strictObject({
      accessToken: text(TOKEN_MAX_CHARACTERS, 1),
      stripeConnectCustomerId: text(255, 1).optional(),
    }),
    output: z.object({ upgraded: z.literal(true) }),
  }),
  /** For owners: refunds all of it at the provider. Access ends once the provider has confirmed it, usually at once. */
  refund: route({
    method: 'POST',
    path: '/v1/purchase/{id}/refund',
    summary: 'Refund a purchase',
    input: z.strictObject({ id: idOf('purchase') }),
    output: z.object({ purchase: Purchase }),
  }),
};

/**
 * `new`: none yet. `incomplete`: the provider needs more from the organization. `ready`: can be paid. `restricted`:
 * could be paid before, and can't now.
 */
export const connectStates = ['new', 'incomplete', 'ready', 'restricted'] as const;

export const connect = {
  /** The provider's page where the organization identifies itself and says where its money goes. */
  link: route({
    method: 'POST',
    path: '/v1/billing/stripe/connect-account-link',
    summary: 'Connect an account for payments',
    input: z.strictObject({
      organizationId: idOf('organization'),
      /** Our page to return to; unset: the organization's billing. */
      returnTo: OwnPath.optional(),
    }),
    output: z.object({ url: z.string() }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/billing/stripe/connect-account',
    summary: 'The connected account',
    input: z.strictObject({ organizationId: idOf('organization') }),
    output: z.object({
      account: z.object({
        state: z.enum(connectStates),
        /** What the provider still requires, in its own terms (`external_account`). */
        requirements: z.array(z.string()),
        isTestMode: z.boolean(),
      }),
    }),
  }),
};

export const earningPeriods = ['7d', '30d', '90d', '1y'] as const;

export const earning = {
  /** An agent's revenue, by day and by product, and its buyers. Amounts by currency, before the provider's own fees. */
  get: route({
    method: 'GET',
    path: '/v1/billing/earning',
    summary: 'What an agent has earned',
    input: z.strictObject({
      agentId: idOf('agent'),
      period: z.enum(earningPeriods).default('30d'),
      /** For the purchases: in the buyer's name and in the product bought. */
      search: Search,
      cursor: page.cursor,
      count: page.count,
    }),
    output: z.object({
      totals: z.array(
        z.object({
          currency: z.enum(currencies),
          paid: z.number().int(),
          refunded: z.number().int(),
          /** What the operator of this installation keeps. */
          fee: z.number().int(),
          paidBefore: z.number().int(),
        }),
      ),
      days: z.array(z.object({ day: z.string(), currency: z.enum(currencies), paid: z.number().int() })),
      purchases: z.array(PaidPurchase.extend({ buyer: z.string() })),
      nextCursor,
    }),
  }),
};
