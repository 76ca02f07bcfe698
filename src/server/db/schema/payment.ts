import { sql } from 'drizzle-orm';
import { bigserial, index, integer, jsonb, pgSchema, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from './columns.ts';

/** Payment provider events already applied to the database: each is applied once. */
export const paymentEvent = pgTable(
  'payment_event',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    /** The connected account it happened in; null: our own. */
    account: text('account'),
    createdAt: createdAt(),
  },
  (table) => [index('payment_event_created').on(table.createdAt)],
);

/** The accounts of the local stand-in for the provider. The request role has no access to this schema. */
export const paymentLocal = pgSchema('payment_local');

export const paymentObject = paymentLocal.table(
  'object',
  {
    /** The connected account that owns it; empty: the platform itself. */
    account: text('account').notNull(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    body: jsonb('body').notNull(),
    /** What the provider knows but doesn't reveal. */
    hidden: jsonb('hidden').notNull(),
    position: bigserial('position', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account, table.id] }),
    index('object_kind').on(table.account, table.kind, table.position),
    index('object_id').on(table.id),
  ],
);

/** The response to an `Idempotency-Key`. */
export const paymentRequest = paymentLocal.table(
  'request',
  {
    account: text('account').notNull(),
    key: text('key').notNull(),
    hash: text('hash').notNull(),
    status: integer('status').notNull(),
    answer: jsonb('answer').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.account, table.key] })],
);

/** Events on their way to a webhook endpoint. */
export const paymentDelivery = paymentLocal.table(
  'delivery',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    account: text('account').notNull(),
    eventId: text('event_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull().defaultNow(),
    /** Null while it is under way. */
    endedAt: moment('ended_at'),
    lastStatus: integer('last_status'),
  },
  (table) => [
    index('delivery_due')
      .on(table.dueAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** The stand-in's numbers and secrets: how far ahead its clock is, and the key and secret its processes share. */
export const paymentSetting = paymentLocal.table('setting', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});
