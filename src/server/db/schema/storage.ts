import { pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/**
 * Bytes in the storage whose row is gone, written by triggers in the transaction that deleted it, whatever deleted it: a
 * request, a cascade, a purge. A sweep removes them. No request can see this table.
 */
export const removedBytes = pgTable('removed_bytes', {
  storageKey: text('storage_key').primaryKey(),
  removedAt: moment('removed_at').notNull().defaultNow(),
}).enableRLS();
