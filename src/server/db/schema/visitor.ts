import { index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { user } from './identity.ts';

/**
 * A person on a page that embeds an agent. Each has their own user, without any way to sign in, which is deleted with
 * the visitor.
 */
export const visitor = pgTable(
  'visitor',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** What the site or program calls them; empty for the program itself, null for an anonymous visitor. */
    subject: text('subject'),
    /** For an anonymous visitor. */
    refreshHash: text('refresh_hash'),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('visitor_subject').on(table.agentId, table.subject),
    uniqueIndex('visitor_refresh_hash').on(table.refreshHash),
    uniqueIndex('visitor_user').on(table.userId),
    index('visitor_last_seen').on(table.lastSeenAt),
    ofOrganization(),
  ],
);

/** How sites and programs may speak for an agent's end users. Separate from the agent, which is read and shown everywhere. */
export const agentAccess = pgTable(
  'agent_access',
  {
    agentId: text('agent_id')
      .primaryKey()
      .references(() => agent.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    /** Encrypted rather than hashed, because verifying its signatures requires it. Never set together with a public key. */
    embedSecret: text('embed_secret'),
    /** PEM. */
    embedPublicKey: text('embed_public_key'),
    apiKeyHash: text('api_key_hash'),
    apiKeyPreview: text('api_key_preview'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('agent_access_api_key').on(table.apiKeyHash), ofOrganization()],
);

/** What was recently taken from a limited allowance; `key` says of what and by whom. */
export const allowance = pgTable(
  'allowance',
  {
    key: text('key').primaryKey(),
    takenAt: timestamp('taken_at', { withTimezone: true }).array().notNull(),
    /** The row is irrelevant from then on. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('allowance_expires').on(table.expiresAt)],
);
