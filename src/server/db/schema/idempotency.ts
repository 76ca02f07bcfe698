import { bigint, boolean, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

/** What a write with an `Idempotency-Key` answered, encrypted; null while it is under way. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    userId: text('user_id').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    answer: jsonb('answer').$type<{ sealed: string }>(),
    /** Something of it is committed; see `db/mark.ts`. */
    written: boolean('written').notNull().default(false),
    /** The process that has it under way; see `db/runner.ts`. None: its answer is lost. */
    runner: bigint('runner', { mode: 'number' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('idempotency_key_created').on(table.createdAt),
  ],
);
