import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { agent } from './agent.ts';
import { createdAt, ofOrganization, organizationId } from './columns.ts';
import { user } from './identity.ts';
import { organization } from './organization.ts';

export const team = pgTable(
  'team',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('team_organization').on(table.organizationId), ofOrganization()],
);

export const teamMember = pgTable(
  'team_member',
  {
    organizationId: organizationId(),
    teamId: text('team_id')
      .notNull()
      .references(() => team.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index('team_member_user').on(table.userId),
    ofOrganization(),
  ],
);

export const teamAgent = pgTable(
  'team_agent',
  {
    organizationId: organizationId(),
    teamId: text('team_id')
      .notNull()
      .references(() => team.id, { onDelete: 'cascade' }),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.agentId] }),
    index('team_agent_agent').on(table.agentId),
    ofOrganization(),
  ],
);
