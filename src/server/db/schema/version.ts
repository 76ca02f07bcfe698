import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { KnownItem, VersionSettings } from '../../../contract/version.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';

/** An agent's instructions and appearance at a point in time. Settings never change once stored. */
export const agentVersion = pgTable(
  'agent_version',
  {
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    settings: jsonb('settings').$type<VersionSettings>().notNull(),
    /** What it knew when it was saved, updated when it was published. */
    knowledge: jsonb('knowledge').$type<KnownItem[]>().notNull().default([]),
    note: text('note').notNull().default(''),
    /** The person or key that saved it; null for agents older than versions. */
    createdBy: text('created_by'),
    createdAt: createdAt(),
    /** When it last went live. */
    publishedAt: moment('published_at'),
    publishedBy: text('published_by'),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.number] }),
    index('agent_version_published').on(table.agentId, table.publishedAt),
    ofOrganization(),
  ],
);
