import { sql } from 'drizzle-orm';
import { bigserial, index, integer, jsonb, pgSchema, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from './columns.ts';

/** Events of the payment provider whose effect is in the database: each has it once. */
export const paymentEvent = pgTable(
  'payment_event',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    /** The connected account that it happened at; null: our own. */
    account: text('account'),
    createdAt: createdAt(),
  },
  (table) => [index('payment_event_created').on(table.createdAt)],
);

/** The books of the local stand-in for the provider. The role of requests may not use this schema. */
export const paymentLocal = pgSchema('payment_local');

export const paymentObject = paymentLocal.table(
  'object',
  {
    /** The connected account whose it is; empty: the platform's own. */
    account: text('account').notNull(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    body: jsonb('body').notNull(),
    /** What the provider knows and does not tell. */
    hidden: jsonb('hidden').notNull(),
    position: bigserial('position', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account, table.id] }),
    index('object_kind').on(table.account, table.kind, table.position),
    index('object_id').on(table.id),
  ],
);

/** What was answered to an `Idempotency-Key`. */
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
    /** Null while it is on its way. */
    endedAt: moment('ended_at'),
    lastStatus: integer('last_status'),
  },
  (table) => [
    index('delivery_due')
      .on(table.dueAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** Numbers and secrets of the stand-in: how far its clock is ahead, the key and the secret that its processes share. */
export const paymentSetting = paymentLocal.table('setting', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});
