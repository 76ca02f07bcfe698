import { sql } from 'drizzle-orm';
import { customType, pgPolicy, text, timestamp } from 'drizzle-orm/pg-core';

/** Columns and policies that the tables share. */

export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const createdAt = () => moment('created_at').notNull().defaultNow();

export const organizationId = () => text('organization_id').notNull();

/** The organization and the person that the transaction speaks for; see `db/scope.ts`. */
export const scopedOrganization = sql`(select current_setting('parley.organization', true))`;
export const scopedUser = sql`(select current_setting('parley.user', true))`;

/** The wall under every query: rows of another organization do not exist for this transaction. */
export const ofOrganization = () =>
  pgPolicy('of_organization', {
    for: 'all',
    using: sql`organization_id = ${scopedOrganization}`,
    withCheck: sql`organization_id = ${scopedOrganization}`,
  });

/** Beside it: a person reads their own rows in whatever organization they lie. */
export const ownRows = () => pgPolicy('own_rows', { for: 'select', using: sql`user_id = ${scopedUser}` });
