import { sql } from 'drizzle-orm';
import { customType, pgPolicy, text, timestamp } from 'drizzle-orm/pg-core';

/** Columns and policies shared by the tables. */

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const createdAt = () => moment('created_at').notNull().defaultNow();

export const organizationId = () => text('organization_id').notNull();

/** The organization and the person the transaction acts for; see `db/scope.ts`. */
export const scopedOrganization = sql`(select current_setting('parley.organization', true))`;
export const scopedUser = sql`(select current_setting('parley.user', true))`;

/** The wall beneath every query: for this transaction, another organization's rows don't exist. */
export const ofOrganization = () =>
  pgPolicy('of_organization', {
    for: 'all',
    using: sql`organization_id = ${scopedOrganization}`,
    withCheck: sql`organization_id = ${scopedOrganization}`,
  });

/** In addition, a person can read their own rows in any organization. */
export const ownRows = () => pgPolicy('own_rows', { for: 'select', using: sql`user_id = ${scopedUser}` });
