import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { erasureScopes, type Erasure } from '../../../contract/privacy.ts';
import { createdAt, moment } from './columns.ts';

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
