import { pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/**
 * Stored bytes whose row is gone, recorded by triggers in the transaction that deleted it, whatever the cause: a
 * request, a cascade, a purge. A sweep removes them. No request can see this table.
 */
export const removedBytes = pgTable('removed_bytes', {
  storageKey: text('storage_key').primaryKey(),
  removedAt: moment('removed_at').notNull().defaultNow(),
}).enableRLS();
