import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { apiKeyScopes } from '../../../contract/api-key.ts';
import { givenRoles, inviteStatuses } from '../../../contract/member.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { organization } from './organization.ts';

/** `expired` isn't stored: a pending invite past its time is expired. */
export const invite = pgTable(
  'invite',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    role: text('role', { enum: givenRoles }).notNull(),
    teams: jsonb('teams').$type<string[]>().notNull(),
    tokenHash: text('token_hash').notNull(),
    status: text('status', { enum: inviteStatuses }).notNull().default('pending'),
    invitedBy: text('invited_by').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('invite_token_hash').on(table.tokenHash),
    index('invite_organization').on(table.organizationId, table.createdAt),
    ofOrganization(),
  ],
);

export const apiKey = pgTable(
  'api_key',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    scope: text('scope', { enum: apiKeyScopes }).notNull(),
    secretHash: text('secret_hash').notNull(),
    preview: text('preview').notNull(),
    createdBy: text('created_by').notNull(),
    lastUsedAt: moment('last_used_at'),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('api_key_secret_hash').on(table.secretHash),
    index('api_key_organization').on(table.organizationId),
    ofOrganization(),
  ],
);

export const auditEntry = pgTable(
  'audit_entry',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    action: text('action').notNull(),
    /** Not a foreign key: what someone did stays on record after they are gone. */
    actorId: text('actor_id'),
    actorName: text('actor_name').notNull(),
    targetId: text('target_id'),
    targetName: text('target_name'),
    before: jsonb('before').$type<Record<string, unknown>>().notNull(),
    after: jsonb('after').$type<Record<string, unknown>>().notNull(),
    address: text('address').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('audit_entry_organization').on(table.organizationId, table.createdAt, table.id),
    ofOrganization(),
  ],
);
