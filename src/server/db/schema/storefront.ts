import { integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { StorefrontConfig } from '../../../contract/storefront.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';

/** An agent's public page, at most one per agent. */
export const storefront = pgTable(
  'storefront',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    draft: jsonb('draft').$type<StorefrontConfig>().notNull(),
    revision: integer('revision').notNull().default(1),
    /** What everyone sees; null: nothing. */
    published: jsonb('published').$type<StorefrontConfig>(),
    publishedRevision: integer('published_revision'),
    publishedAt: moment('published_at'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('storefront_agent').on(table.agentId), ofOrganization()],
);
