import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { pluginStatuses, pluginTypes, type PluginSettings } from '../../../contract/plugin.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { user } from './identity.ts';

export const plugin = pgTable(
  'plugin',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    type: text('type', { enum: pluginTypes }).notNull(),
    handle: text('handle').notNull(),
    settingsData: jsonb('settings_data').$type<PluginSettings>().notNull(),
    status: text('status', { enum: pluginStatuses }).notNull().default('active'),
    /** Encrypted; null until an account is connected. */
    credentials: text('credentials'),
    accountName: text('account_name'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('plugin_agent').on(table.agentId, table.createdAt), ofOrganization()],
);

/** A plugin's sign-in under way at another service, bound to the browser of the member who began it. */
export const pluginLogin = pgTable(
  'plugin_login',
  {
    stateHash: text('state_hash').primaryKey(),
    organizationId: organizationId(),
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugin.id, { onDelete: 'cascade' }),
    /** Whose right to write is asked for again at the end. */
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** The ticket that began it, which is good for one. */
    ticketHash: text('ticket_hash').notNull(),
    browserHash: text('browser_hash').notNull(),
    /** PKCE; worth nothing without the code, and the code nothing without it. */
    codeVerifier: text('code_verifier').notNull(),
    usedAt: moment('used_at'),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [uniqueIndex('plugin_login_ticket').on(table.ticketHash), ofOrganization()],
);
