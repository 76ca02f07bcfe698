import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';
import { user } from './identity.ts';

/** A browser in which someone wants to be notified. */
export const pushSubscription = pgTable(
  'push_subscription',
  {
    /** A hash of the endpoint. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    endpoint: text('endpoint').notNull(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('push_subscription_user').on(table.userId, table.createdAt)],
);
