import { bigint, boolean, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

/** The response to a write with an `Idempotency-Key`, encrypted; null while it is in progress. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    userId: text('user_id').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    answer: jsonb('answer').$type<{ sealed: string }>(),
    /** Part of it has been committed; see `db/mark.ts`. */
    written: boolean('written').notNull().default(false),
    /** The process working on it; see `db/runner.ts`. None: its response is lost. */
    runner: bigint('runner', { mode: 'number' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('idempotency_key_created').on(table.createdAt),
  ],
);
