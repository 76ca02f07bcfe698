import * as z from 'zod';
import { Timestamp, words } from './common.ts';
import { idOf } from './id.ts';
import { PLAN_CHANGES_PER_HOUR_AND_ADDRESS, STOP_MESSAGE_MAX_CHARACTERS } from './limits.ts';
import { creditStops, planTypes, resyncIntervals, subscriptionStates } from './plans.ts';
import { route } from './route.ts';

/** What a plan includes on this installation. */
export const PlanNumbers = z.object({
  priceUsdAMonth: z.number(),
  creditsAMonth: z.number(),
  agents: z.number(),
  members: z.number(),
  teams: z.number(),
  knowledgeBytes: z.number(),
  storedBytes: z.number(),
  crawlPages: z.number(),
  largestFileBytes: z.number(),
  toolsAnAgent: z.number(),
  resyncEvery: z.enum(resyncIntervals),
  products: z.number(),
  insightDays: z.number(),
  requestsAMinute: z.number(),
});
export type PlanNumbers = z.infer<typeof PlanNumbers>;

/** Current counts of everything countable. */
export const Counts = z.object({
  agents: z.number(),
  members: z.number(),
  teams: z.number(),
  knowledgeBytes: z.number(),
  storedBytes: z.number(),
  products: z.number(),
  /** For the agent that has the most. */
  toolsAnAgent: z.number(),
});
export type Counts = z.infer<typeof Counts>;
export type CountKind = keyof Counts;

/** Limits are null with `BILLING_MODE=off`. */
export const Usage = z.object({
  planType: z.enum(planTypes),
  /** `2026-11`, a calendar month in UTC. */
  month: z.string(),
  credits: z.object({
    used: z.number().int(),
    /** Reserved for answers in progress. */
    reserved: z.number().int(),
    limit: z.number().int().nullable(),
    /** This month's credits beyond the limit: credits that last until used, as many as were left when the month began. */
    bonus: z.number().int(),
    /** How many of these are left now. */
    bonusLeft: z.number().int(),
  }),
  counts: Counts,
  plan: PlanNumbers.nullable(),
  /** How long the plan stays active after a declined payment; null: no payment was declined. */
  holdsUntil: Timestamp.nullable(),
});
export type Usage = z.infer<typeof Usage>;

/** Amounts in the currency's smallest unit, as at Stripe. */
export const PlanInvoice = z.object({
  id: z.string(),
  at: Timestamp,
  amount: z.number().int(),
  currency: z.string(),
  state: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  /** The payment provider's page; null if it has none for the invoice. */
  url: z.string().nullable(),
});
export type PlanInvoice = z.infer<typeof PlanInvoice>;

export const PlanSubscription = z.object({
  planType: z.enum(planTypes),
  state: z.enum(subscriptionStates),
  periodEndsAt: Timestamp.nullable(),
  /** The plan then becomes `FREE_PLAN`. */
  endsAtPeriodEnd: z.boolean(),
  /** The smaller plan it then changes to; null: no change. */
  nextPlanType: z.enum(planTypes).nullable(),
  holdsUntil: Timestamp.nullable(),
  /** No money changes hands. */
  isTestMode: z.boolean(),
  /** False: `BILLING_MODE=off`, with nothing to choose. */
  isLimited: z.boolean(),
  plans: z.array(z.object({ type: z.enum(planTypes), numbers: PlanNumbers })),
  /** Newest first; null while the provider is unreachable. */
  invoices: z.array(PlanInvoice).nullable(),
  creditStop: z.enum(creditStops),
  /** The message shown when no credits are left; null: the standard text. */
  stopMessage: z.string().nullable(),
});
export type PlanSubscription = z.infer<typeof PlanSubscription>;

/** The consequences of changing to a plan. `checkout`: takes effect once it is paid. */
export const PlanChange = z.object({
  takesEffect: z.enum(['never', 'checkout', 'now', 'period-end']),
  at: Timestamp.nullable(),
  /** What would exceed the new plan's limits. It stays and remains usable; only adding more is blocked. */
  over: z.array(z.object({ kind: Counts.keyof(), used: z.number(), limit: z.number() })),
});
export type PlanChange = z.infer<typeof PlanChange>;

export const Referral = z.object({
  link: z.string(),
  /** Organizations created by people who came through it; `rewarded` counts those of them that have paid and were rewarded. */
  came: z.number().int(),
  rewarded: z.number().int(),
  /** What both organizations then get. */
  credits: z.number().int(),
});

const ofOrganization = z.strictObject({ organizationId: idOf('organization') });
const planChange = z.strictObject({ organizationId: idOf('organization'), planType: z.enum(planTypes) });
const limit = { requests: PLAN_CHANGES_PER_HOUR_AND_ADDRESS, seconds: 3600 };

export const billing = {
  getUsage: route({
    method: 'GET',
    path: '/v1/billing/usage',
    summary: "An organization's usage this month",
    input: ofOrganization,
    output: z.object({ usage: Usage }),
  }),
  /**
   * Recomputes the credits held for answers from the answers in progress; everything else is always derived from
   * current data.
   */
  countUsage: route({
    method: 'POST',
    path: '/v1/billing/usage',
    summary: "Recount an organization's usage",
    limit,
    input: ofOrganization,
    output: z.object({ usage: Usage }),
  }),
  /**
   * Chooses a plan. `url` leads to the provider's payment page; a repeated call returns the same page. It is null for
   * an organization that already pays: a larger plan starts at once, prorated for the rest of the month, while a
   * smaller one and `FREE_PLAN` start at the end of the period. A plan that was refunded, is disputed or wasn't paid in
   * time ends, and the new plan is paid from scratch. The plan itself changes once the provider has reported it.
   * Errors: 402 `payment/refused`.
   */
  choosePlan: route({
    method: 'POST',
    path: '/v1/billing',
    summary: 'Choose a plan',
    limit,
    input: planChange,
    output: z.object({ url: z.string().nullable() }),
  }),
  portal: route({
    method: 'POST',
    path: '/v1/billing/stripe/billing-portal',
    summary: "The provider's page for card, invoices and cancellation",
    limit,
    input: ofOrganization,
    output: z.object({ url: z.string() }),
  }),
  getSubscription: route({
    method: 'GET',
    path: '/v1/billing/subscription',
    summary: "An organization's plan and payment",
    input: ofOrganization,
    output: z.object({ subscription: PlanSubscription }),
  }),
  previewChange: route({
    method: 'GET',
    path: '/v1/billing/plan-change',
    summary: 'Preview a change of plan',
    input: planChange,
    output: z.object({ change: PlanChange }),
  }),
  /** The caller's referral link. Errors: 403 for keys. */
  getReferral: route({
    method: 'GET',
    path: '/v1/billing/referral',
    summary: 'My referral link and its results',
    input: z.strictObject({}),
    output: z.object({ referral: Referral }),
  }),
  setStop: route({
    method: 'PUT',
    path: '/v1/billing/stop',
    summary: 'Set what happens when credits run out',
    input: z.strictObject({
      organizationId: idOf('organization'),
      creditStop: z.enum(creditStops),
      stopMessage: words(STOP_MESSAGE_MAX_CHARACTERS).nullable(),
    }),
    output: z.object({ creditStop: z.enum(creditStops), stopMessage: z.string().nullable() }),
  }),
};
