import { sql } from 'drizzle-orm';
import { index, integer, pgPolicy, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { roles } from '../../../contract/access.ts';
import { creditStops, planTypes } from '../../../contract/plans.ts';
import {
  createdAt,
  moment,
  ofOrganization,
  organizationId,
  ownRows,
  scopedOrganization,
  scopedUser,
} from './columns.ts';
import { user } from './identity.ts';

export const organization = pgTable(
  'organization',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    profilePhoto: text('profile_photo').notNull(),
    planType: text('plan_type', { enum: planTypes }).notNull().default('FREE_PLAN'),
    /** What happens when a month's credits run out, and the message shown then; null: the standard text. */
    creditStop: text('credit_stop', { enum: creditStops }).notNull().default('hard'),
    stopMessage: text('stop_message'),
    /** Credits in addition to the plan's, which last until used; the all-time total, including used ones. */
    bonusCredits: integer('bonus_credits').notNull().default(0),
    /** Whose referral link it came through, and when that was rewarded. */
    referredBy: text('referred_by').references(() => user.id, { onDelete: 'set null' }),
    rewardedAt: moment('rewarded_at'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('organization_referred_by').on(table.referredBy),
    pgPolicy('itself', {
      for: 'all',
      using: sql`${table.id} = ${scopedOrganization}`,
      withCheck: sql`${table.id} = ${scopedOrganization}`,
    }),
    pgPolicy('mine', {
      for: 'select',
      using: sql`exists (select 1 from member where member.organization_id = ${table.id} and member.user_id = ${scopedUser})`,
    }),
  ],
);

export const member = pgTable(
  'member',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    role: text('role', { enum: roles }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('member_organization_user').on(table.organizationId, table.userId),
    uniqueIndex('member_user_organization').on(table.userId, table.organizationId),
    ofOrganization(),
    ownRows(),
  ],
);
