/** The plans, with all their numbers. An installation can change each by `PLANS` (docs/guides/plans.md). */

const MEGABYTE = 1_000_000;
const GIGABYTE = 1000 * MEGABYTE;

export const planTypes = ['FREE_PLAN', 'HOBBY', 'PRO', 'STARTUP'] as const;
export type PlanType = (typeof planTypes)[number];

/** `soft`: a few more answers are given before it stops (`SOFT_STOP_MAX_SHARE`). */
export const creditStops = ['hard', 'soft'] as const;
export type CreditStop = (typeof creditStops)[number];

/** A subscription's state in our own terms. `past-due`: a payment was refused, and the plan stays active for a while. */
export const subscriptionStates = [
  'none',
  'trialing',
  'active',
  'past-due',
  'ended',
  'refunded',
  'disputed',
] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** Display names. */
export const planNames: Readonly<Record<PlanType, string>> = {
  FREE_PLAN: 'Free',
  HOBBY: 'Hobby',
  PRO: 'Pro',
  STARTUP: 'Startup',
};

/** How often an item may be reread automatically. */
export const resyncIntervals = ['manual', 'weekly', 'daily', 'hourly'] as const;
export type ResyncEvery = (typeof resyncIntervals)[number];

/** What is counted across an organization as a whole. */
export const countables = [
  'agents',
  'members',
  'teams',
  'knowledgeBytes',
  'storedBytes',
  'products',
] as const;
export type Countable = (typeof countables)[number];

/** What owners get usage notifications about. */
export const alertKinds = ['credits', ...countables] as const;
export type AlertKind = (typeof alertKinds)[number];

export interface Plan extends Record<Countable, number> {
  priceUsdAMonth: number;
  /** Answers from a model of weight 1. */
  creditsAMonth: number;
  crawlPages: number;
  largestFileBytes: number;
  toolsAnAgent: number;
  /** Automatically; it can always be reread manually. */
  resyncEvery: ResyncEvery;
  /** How many days back insights are shown; nothing is deleted because of it. */
  insightDays: number;
  requestsAMinute: number;
}

export const plans: Readonly<Record<PlanType, Plan>> = {
  FREE_PLAN: {
    priceUsdAMonth: 0,
    creditsAMonth: 200,
    agents: 2,
    members: 1,
    teams: 1,
    knowledgeBytes: 5 * MEGABYTE,
    storedBytes: 100 * MEGABYTE,
    crawlPages: 50,
    largestFileBytes: 10 * MEGABYTE,
    toolsAnAgent: 3,
    resyncEvery: 'manual',
    products: 1,
    insightDays: 30,
    requestsAMinute: 30,
  },
  HOBBY: {
    priceUsdAMonth: 29,
    creditsAMonth: 2000,
    agents: 5,
    members: 3,
    teams: 2,
    knowledgeBytes: 50 * MEGABYTE,
    storedBytes: 2 * GIGABYTE,
    crawlPages: 500,
    largestFileBytes: 25 * MEGABYTE,
    toolsAnAgent: 10,
    resyncEvery: 'weekly',
    products: 5,
    insightDays: 90,
    requestsAMinute: 60,
  },
  PRO: {
    priceUsdAMonth: 99,
    creditsAMonth: 10_000,
    agents: 25,
    members: 10,
    teams: 10,
    knowledgeBytes: 250 * MEGABYTE,
    storedBytes: 10 * GIGABYTE,
    crawlPages: 2000,
    largestFileBytes: 50 * MEGABYTE,
    toolsAnAgent: 30,
    resyncEvery: 'daily',
    products: 25,
    insightDays: 365,
    requestsAMinute: 300,
  },
  STARTUP: {
    priceUsdAMonth: 299,
    creditsAMonth: 40_000,
    agents: 100,
    members: 50,
    teams: 50,
    knowledgeBytes: GIGABYTE,
    storedBytes: 50 * GIGABYTE,
    crawlPages: 10_000,
    largestFileBytes: 100 * MEGABYTE,
    toolsAnAgent: 100,
    resyncEvery: 'hourly',
    products: 100,
    insightDays: 3650,
    requestsAMinute: 1000,
  },
};
