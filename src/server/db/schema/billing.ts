import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ofOrganization, organizationId } from './columns.ts';
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
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.month] }), ofOrganization()],
);
