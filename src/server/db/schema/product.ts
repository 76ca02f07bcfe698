import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  entitlementStates,
  productKinds,
  productStates,
  purchaseStates,
  type DetailsConfig,
  type PaymentConfig,
} from '../../../contract/product.ts';
import { agent } from './agent.ts';
import { conversation } from './chat.ts';
import { createdAt, moment, ofOrganization, organizationId, ownRows } from './columns.ts';
import { user } from './identity.ts';
import { organization } from './organization.ts';

/** The account at the payment provider that an organization's end users pay into. */
export const connectAccount = pgTable(
  'connect_account',
  {
    organizationId: organizationId()
      .primaryKey()
      .references(() => organization.id, { onDelete: 'cascade' }),
    /** At the provider; null: none yet, or it has been disconnected. */
    accountId: text('account_id'),
    /** Incremented on disconnecting, so that the next account is a different one. */
    generation: integer('generation').notNull().default(0),
    chargesEnabled: boolean('charges_enabled').notNull().default(false),
    /** It was able to receive payments at some point. */
    wasReady: boolean('was_ready').notNull().default(false),
    requirements: jsonb('requirements').$type<string[]>().notNull().default([]),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('connect_account_id').on(table.accountId), ofOrganization()],
);

/** A pricing plan of an agent. */
export const product = pgTable(
  'product',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    state: text('state', { enum: productStates }).notNull().default('draft'),
    paymentConfig: jsonb('payment_config').$type<PaymentConfig>().notNull(),
    detailsConfig: jsonb('details_config').$type<DetailsConfig>().notNull(),
    /** At the provider: the account that owns it, its product, and the price matching `paymentConfig`; null: none yet. */
    accountId: text('account_id'),
    providerProductId: text('provider_product_id'),
    priceId: text('price_id'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('product_agent').on(table.agentId, table.createdAt), ofOrganization()],
);

/** The provider's identity of an end user, within one connected account. */
export const paymentCustomer = pgTable(
  'payment_customer',
  {
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    accountId: text('account_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    customerId: text('customer_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.userId] }),
    index('payment_customer_user').on(table.userId),
    ofOrganization(),
    ownRows(),
  ],
);

/** A product bought, or about to be bought, on the terms at the time. */
export const purchase = pgTable(
  'purchase',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    productId: text('product_id')
      .notNull()
      .references(() => product.id, { onDelete: 'cascade' }),
    /** Null: the person no longer exists; their payments still do. */
    userId: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    state: text('state', { enum: purchaseStates }).notNull().default('pending'),
    terms: jsonb('terms').$type<PaymentConfig>().notNull(),
    name: text('name').notNull(),
    /** Where it was started. */
    conversationId: text('conversation_id').references(() => conversation.id, { onDelete: 'set null' }),
    /** At the provider; null: it costs nothing. */
    accountId: text('account_id'),
    customerId: text('customer_id'),
    priceId: text('price_id'),
    sessionId: text('session_id'),
    sessionUrl: text('session_url'),
    subscriptionId: text('subscription_id'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('purchase_user').on(table.userId, table.id),
    index('purchase_agent').on(table.agentId, table.id),
    index('purchase_product').on(table.productId),
    uniqueIndex('purchase_session').on(table.sessionId),
    uniqueIndex('purchase_subscription').on(table.subscriptionId),
    ofOrganization(),
    ownRows(),
  ],
);

/** A payment for a purchase, a single one or a renewal, in its current state at the provider. */
export const payment = pgTable(
  'payment',
  {
    /** The provider's payment intent. */
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    purchaseId: text('purchase_id')
      .notNull()
      .references(() => purchase.id, { onDelete: 'cascade' }),
    currency: text('currency').notNull(),
    amount: integer('amount').notNull(),
    refunded: integer('refunded').notNull(),
    /** What the operator keeps. */
    fee: integer('fee').notNull(),
    isDisputed: boolean('is_disputed').notNull(),
    paidAt: moment('paid_at').notNull(),
  },
  (table) => [
    index('payment_purchase').on(table.purchaseId),
    index('payment_agent').on(table.agentId, table.paidAt),
    ofOrganization(),
  ],
);

/** A person's right to chat with an agent. Its balances are the sums of its ledger entries: `move_credits` writes both. */
export const entitlement = pgTable(
  'entitlement',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    purchaseId: text('purchase_id')
      .notNull()
      .references(() => purchase.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: productKinds }).notNull(),
    state: text('state', { enum: entitlementStates }).notNull(),
    isUnlimited: boolean('is_unlimited').notNull(),
    creditsLeft: integer('credits_left').notNull().default(0),
    creditsHeld: integer('credits_held').notNull().default(0),
    /** The period of the current credits; null: they don't belong to one. */
    periodStart: moment('period_start'),
    /** When they were granted: anything held earlier isn't returned into them. */
    replenishedAt: moment('replenished_at').notNull().defaultNow(),
    endsAt: moment('ends_at'),
    renews: boolean('renews').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('entitlement_purchase').on(table.purchaseId),
    index('entitlement_user').on(table.userId, table.agentId),
    index('entitlement_agent').on(table.agentId),
    check('entitlement_not_negative', sql`${table.creditsLeft} >= 0 and ${table.creditsHeld} >= 0`),
    ofOrganization(),
    ownRows(),
  ],
);

export const ledgerAccounts = ['issued', 'left', 'held', 'spent', 'expired', 'refunded'] as const;

/** Double-entry bookkeeping: the entries of one transaction add up to zero, which the database checks on commit. */
export const ledgerEntry = pgTable(
  'ledger_entry',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    transactionId: uuid('transaction_id').notNull(),
    organizationId: organizationId(),
    entitlementId: text('entitlement_id')
      .notNull()
      .references(() => entitlement.id, { onDelete: 'cascade' }),
    account: text('account', { enum: ledgerAccounts }).notNull(),
    amount: integer('amount').notNull(),
    /** `grant`, `hold`, `spend`, `give back`, `expire`, `refund`. */
    reason: text('reason').notNull(),
    /** The answer it is about. */
    messageId: text('message_id'),
    createdAt: createdAt(),
  },
  (table) => [
    index('ledger_entry_transaction').on(table.transactionId),
    index('ledger_entry_entitlement').on(table.entitlementId, table.messageId),
    ofOrganization(),
  ],
);

/**
 * Subscriptions that no longer pay for anything, recorded by triggers in the transaction that made it so, whatever the
 * cause: a deleted agent, a purge, a person who left. A sweep ends them at the provider. No request can see this table.
 */
export const endedSubscription = pgTable('ended_subscription', {
  subscriptionId: text('subscription_id').primaryKey(),
  accountId: text('account_id').notNull(),
  /** The agent may be restored: what has been paid for stays. */
  atPeriodEnd: boolean('at_period_end').notNull(),
  triedAt: moment('tried_at').notNull().defaultNow(),
}).enableRLS();

/**
 * Started checkouts, not known to be paid, for things that no longer exist, recorded in the same way. A sweep closes
 * their pages at the provider and refunds what was paid there in the meantime.
 */
export const endedCheckout = pgTable('ended_checkout', {
  sessionId: text('session_id').primaryKey(),
  accountId: text('account_id').notNull(),
  triedAt: moment('tried_at').notNull().defaultNow(),
}).enableRLS();
