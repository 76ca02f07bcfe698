import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { dataExportStates, erasureScopes, type Erasure } from '../../../contract/privacy.ts';
import { createdAt, moment } from './columns.ts';
import { user } from './identity.ts';
import { organization } from './organization.ts';

/**
 * That a person is being erased, and the receipt of it. Of no organization, since a person is of several; while it runs it names
 * whom it erases, afterwards nobody.
 */
export const erasure = pgTable(
  'erasure',
  {
    id: text('id').primaryKey(),
    scope: text('scope', { enum: erasureScopes }).notNull(),
    /** Whom, and at which agent; null once their rows are gone. */
    personId: text('person_id'),
    ofAgent: text('of_agent'),
    erased: jsonb('erased').$type<Erasure['erased']>().notNull().default({}),
    kept: jsonb('kept').$type<Erasure['kept']>().notNull().default({}),
    /** Bytes that are still to be removed; the rows that named them are gone. */
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
 * A file of what is known of a person, or of what an organization has, for who asked for it. Of no organization, since a person is of
 * several. Its bytes go with it, by a trigger.
 */
export const dataExport = pgTable(
  'data_export',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** Null: what is known of the person. */
    ofOrganization: text('of_organization').references(() => organization.id, { onDelete: 'cascade' }),
    state: text('state', { enum: dataExportStates }).notNull().default('queued'),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    /** Where it is written; said before it is, and another at each try. */
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
