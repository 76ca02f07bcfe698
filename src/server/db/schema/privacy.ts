import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { dataExportStates, erasureScopes, type Erasure } from '../../../contract/privacy.ts';
import { createdAt, moment } from './columns.ts';
import { user } from './identity.ts';
import { organization } from './organization.ts';

/**
 * The erasure of a person, and its receipt. It belongs to no organization, because a person can be in several; while it
 * runs it names the person being erased, afterwards nobody.
 */
export const erasure = pgTable(
  'erasure',
  {
    id: text('id').primaryKey(),
    scope: text('scope', { enum: erasureScopes }).notNull(),
    /** The person, and the agent concerned; null once their rows are gone. */
    personId: text('person_id'),
    ofAgent: text('of_agent'),
    erased: jsonb('erased').$type<Erasure['erased']>().notNull().default({}),
    kept: jsonb('kept').$type<Erasure['kept']>().notNull().default({}),
    /** Stored bytes that are still to be removed; the rows that referred to them are gone. */
    storageKeys: jsonb('storage_keys').$type<string[]>().notNull().default([]),
    rowsGoneAt: moment('rows_gone_at'),
    doneAt: moment('done_at'),
    /** The signed receipt, and the public half of the key that signed it. */
    receipt: text('receipt'),
    publicKey: jsonb('public_key').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  (table) => [index('erasure_person').on(table.personId)],
);

/**
 * A file of everything about a person or an organization, for the person who requested it. It belongs to no
 * organization, because a person can be in several. A trigger removes its bytes along with it.
 */
export const dataExport = pgTable(
  'data_export',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** Null: an export about the person. */
    ofOrganization: text('of_organization').references(() => organization.id, { onDelete: 'cascade' }),
    state: text('state', { enum: dataExportStates }).notNull().default('queued'),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    /** Where it is written; recorded beforehand, and different on each attempt. */
    storageKey: text('storage_key'),
    bytes: bigint('bytes', { mode: 'number' }),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('data_export_user').on(table.userId),
    index('data_export_organization').on(table.ofOrganization),
    index('data_export_expires').on(table.expiresAt),
  ],
);
