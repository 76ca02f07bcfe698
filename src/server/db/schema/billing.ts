import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { alertKinds, planTypes, subscriptionStates } from '../../../contract/plans.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { organization } from './organization.ts';

/** Credits of one calendar month (UTC). `reserved` are held for answers in progress, `used` are spent. */
export const creditUsage = pgTable(
  'credit_usage',
  {
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    /** `2026-11`. */
    month: text('month').notNull(),
    used: integer('used').notNull().default(0),
    reserved: integer('reserved').notNull().default(0),
    /** The highest of this month's plans, if there was more than one. */
    included: integer('included').notNull().default(0),
    /** For a past month: what was used beyond its plan. Null: not yet calculated. */
    bonusUsed: integer('bonus_used'),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.month] }), ofOrganization()],
);

/**
 * A credit taken for something whose outcome no message records. While the row exists the outcome is unknown; deleting
 * it keeps or returns the credit, once. An old row was left behind by a process that died.
 */
export const creditHold = pgTable(
  'credit_hold',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    /** The month it was taken from: `2026-11`. */
    month: text('month').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('credit_hold_organization').on(table.organizationId), ofOrganization()],
);

/**
 * An organization's status at the payment provider, as last read there. The organization's plan follows from this and
 * nothing else (`billing/subscription.ts`).
 */
export const planSubscription = pgTable(
  'plan_subscription',
  {
    organizationId: organizationId()
      .primaryKey()
      .references(() => organization.id, { onDelete: 'cascade' }),
    customerId: text('customer_id').notNull(),
    /** The newest checkout in which a plan is being chosen and paid. */
    sessionId: text('session_id'),
    subscriptionId: text('subscription_id'),
    state: text('state', { enum: subscriptionStates }).notNull().default('none'),
    periodEndsAt: moment('period_ends_at'),
    endsAtPeriodEnd: boolean('ends_at_period_end').notNull().default(false),
    /** The plan from the next period on, if it is a different one. */
    nextPlanType: text('next_plan_type', { enum: planTypes }),
    /** Since when a payment has been overdue; null: none is. */
    pastDueSince: moment('past_due_since'),
    readAt: moment('read_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('plan_subscription_customer').on(table.customerId),
    index('plan_subscription_read').on(table.readAt),
    ofOrganization(),
  ],
);

/** A share of a plan's limit that was used up: each kind of share once a month. */
export const usageAlert = pgTable(
  'usage_alert',
  {
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: alertKinds }).notNull().default('credits'),
    /** The month it was reached in. */
    month: text('month').notNull(),
    percent: integer('percent').notNull(),
    used: bigint('used', { mode: 'number' }).notNull(),
    limit: bigint('limit', { mode: 'number' }).notNull(),
    /** When the owners were emailed; null until then. */
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
    /** Minutes since 1970. */
    minute: integer('minute').notNull(),
    taken: integer('taken').notNull(),
    /** How many the last request for a share was granted. */
    granted: integer('granted').notNull(),
  },
  () => [ofOrganization()],
);
