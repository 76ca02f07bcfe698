import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { alertKinds, planTypes, subscriptionStates } from '../../../contract/plans.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { organization } from './organization.ts';

/** Credits of one calendar month (UTC). `reserved` are held for answers under way, `used` are spent. */
export const creditUsage = pgTable(
  'credit_usage',
  {
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    /** `2026-11`. */
    month: text('month').notNull(),
    used: integer('used').notNull().default(0),
    reserved: integer('reserved').notNull().default(0),
    /** The most that plans of this month had, where there was more than one. */
    included: integer('included').notNull().default(0),
    /** Of a month that is over: what was used beyond its plan. Null: it was not reckoned up yet. */
    bonusUsed: integer('bonus_used'),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.month] }), ofOrganization()],
);

/**
 * A credit that is taken for something of which no message tells how it ended. While the row is there it is not known; with the row it
 * is kept or given back, once. One that is old was left behind by a process that died.
 */
export const creditHold = pgTable(
  'credit_hold',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    /** Of which it was taken: `2026-11`. */
    month: text('month').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('credit_hold_organization').on(table.organizationId), ofOrganization()],
);

/**
 * What an organization is at the payment provider, as it was last read there. The plan of an organization follows from this and
 * from nothing else (`billing/subscription.ts`).
 */
export const planSubscription = pgTable(
  'plan_subscription',
  {
    organizationId: organizationId()
      .primaryKey()
      .references(() => organization.id, { onDelete: 'cascade' }),
    customerId: text('customer_id').notNull(),
    /** Where a plan is being chosen and paid; the newest. */
    sessionId: text('session_id'),
    subscriptionId: text('subscription_id'),
    state: text('state', { enum: subscriptionStates }).notNull().default('none'),
    periodEndsAt: moment('period_ends_at'),
    endsAtPeriodEnd: boolean('ends_at_period_end').notNull().default(false),
    /** What it is from the next period on, where that is another plan. */
    nextPlanType: text('next_plan_type', { enum: planTypes }),
    /** Since when a payment is owed; null: none is. */
    pastDueSince: moment('past_due_since'),
    readAt: moment('read_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('plan_subscription_customer').on(table.customerId),
    index('plan_subscription_read').on(table.readAt),
    ofOrganization(),
  ],
);

/** A part of what a plan holds that was used up: each of a kind once a month. */
export const usageAlert = pgTable(
  'usage_alert',
  {
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: alertKinds }).notNull().default('credits'),
    /** In which it was reached. */
    month: text('month').notNull(),
    percent: integer('percent').notNull(),
    used: bigint('used', { mode: 'number' }).notNull(),
    limit: bigint('limit', { mode: 'number' }).notNull(),
    /** When the owners were written to; null until then. */
    toldAt: moment('told_at'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.kind, table.month, table.percent] }),
    index('usage_alert_untold')
      .on(table.createdAt)
      .where(sql`told_at is null`),
    ofOrganization(),
  ],
);

/** Requests of an organization's programs in one minute of the database's clock (`access/api-requests.ts`). */
export const apiMinute = pgTable(
  'api_minute',
  {
    organizationId: organizationId()
      .primaryKey()
      .references(() => organization.id, { onDelete: 'cascade' }),
    /** Since 1970. */
    minute: integer('minute').notNull(),
    taken: integer('taken').notNull(),
    /** By whoever took last. */
    granted: integer('granted').notNull(),
  },
  () => [ofOrganization()],
);
