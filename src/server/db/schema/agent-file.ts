import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { agentImportStates } from '../../../contract/agent-file.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { organization } from './organization.ts';

/** A picture uploaded for an agent: the agent may show only these. */
export const agentImage = pgTable(
  'agent_image',
  {
    address: text('address').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [index('agent_image_agent').on(table.agentId, table.createdAt), ofOrganization()],
);

/** The creation of an agent from a file or another agent, by a job. */
export const agentImport = pgTable(
  'agent_import',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    /** What it is created from: one of the two. */
    uploadId: text('upload_id'),
    fromAgentId: text('from_agent_id'),
    /** Its name; null: the original's name. */
    name: text('name'),
    state: text('state', { enum: agentImportStates }).notNull().default('queued'),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    error: text('error'),
    /** The agent created; not a foreign key, because it may have been deleted or moved since. */
    madeAgentId: text('made_agent_id'),
    /**
     * Where its bytes are written, recorded beforehand. Those that leave this list without having become an agent's are
     * removed by a trigger, so that neither a failure nor a kill leaves any behind.
     */
    storageKeys: jsonb('storage_keys').$type<string[]>().notNull().default([]),
    /** Who requested it, and from where. */
    createdBy: text('created_by').notNull(),
    address: text('address').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('agent_import_organization').on(table.organizationId, table.createdAt), ofOrganization()],
);
