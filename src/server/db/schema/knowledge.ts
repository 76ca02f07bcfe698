import {
  bigint,
  customType,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { knowledgeStates, knowledgeTypes } from '../../../contract/knowledge.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { organization } from './organization.ts';

export const file = pgTable(
  'file',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    storageKey: text('storage_key').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('file_organization').on(table.organizationId), ofOrganization()],
);

export const knowledge = pgTable(
  'knowledge',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    type: text('type', { enum: knowledgeTypes }).notNull(),
    description: text('description').notNull(),
    text: text('text'),
    links: jsonb('links').$type<string[]>().notNull().default([]),
    state: text('state', { enum: knowledgeStates }).notNull().default('queued'),
    error: text('error'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('knowledge_agent').on(table.agentId, table.createdAt), ofOrganization()],
);

/** One document inside an item. Its text is kept, so that chunks can be made again without reading it again. */
export const source = pgTable(
  'source',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    knowledgeId: text('knowledge_id')
      .notNull()
      .references(() => knowledge.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['text', 'file', 'page'] }).notNull(),
    title: text('title').notNull(),
    url: text('url'),
    fileId: text('file_id').references(() => file.id),
    /** Markdown, with a form feed between the pages of a paged document. */
    text: text('text'),
    language: text('language'),
    contentHash: text('content_hash'),
    etag: text('etag'),
    lastModified: text('last_modified'),
    state: text('state', { enum: knowledgeStates }).notNull().default('queued'),
    error: text('error'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('source_knowledge').on(table.knowledgeId), ofOrganization()],
);

/**
 * The unit in which the index is written and replaced: some sources of one item, chunked and analysed together in one
 * transaction. A term has one row in it however many sources hold the term, which keeps the index small.
 */
export const indexBlock = pgTable(
  'index_block',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    knowledgeId: text('knowledge_id')
      .notNull()
      .references(() => knowledge.id, { onDelete: 'cascade' }),
    chunkCount: integer('chunk_count').notNull(),
    /** Words of all its chunks, title and headings counted as often as the ranking counts them. */
    wordCount: bigint('word_count', { mode: 'number' }).notNull(),
    /** Languages by whose rules its terms were made. */
    languages: text('languages').array().notNull(),
  },
  (table) => [
    index('index_block_agent').on(table.agentId),
    index('index_block_knowledge').on(table.knowledgeId),
    ofOrganization(),
  ],
);

/** A short name of each chunk for the postings. They have 40 bits for it. */
export const chunkNumber = pgSequence('chunk_number', { maxValue: 2 ** 40 - 1 });

/** A retrievable passage with its place in the source. */
export const chunk = pgTable(
  'chunk',
  {
    id: text('id').primaryKey(),
    number: bigint('number', { mode: 'number' }).notNull(),
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    sourceId: text('source_id')
      .notNull()
      .references(() => source.id, { onDelete: 'cascade' }),
    blockId: bigint('block_id', { mode: 'number' })
      .notNull()
      .references(() => indexBlock.id, { onDelete: 'cascade' }),
    ordinal: integer('ordinal').notNull(),
    text: text('text').notNull(),
    headingPath: jsonb('heading_path').$type<string[]>().notNull().default([]),
    /** One-based. */
    page: integer('page'),
    /** Characters from the start of the source's text. */
    offset: integer('offset').notNull(),
  },
  (table) => [
    uniqueIndex('chunk_number_unique').on(table.number),
    uniqueIndex('chunk_source_ordinal').on(table.sourceId, table.ordinal),
    index('chunk_block').on(table.blockId),
    ofOrganization(),
  ],
);

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** The inverted index: for a term, the chunks of one block that hold it; the layout is that of `features/knowledge/postings.ts`. */
export const posting = pgTable(
  'posting',
  {
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    term: text('term').notNull(),
    blockId: bigint('block_id', { mode: 'number' })
      .notNull()
      .references(() => indexBlock.id, { onDelete: 'cascade' }),
    entries: bytes('entries').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.term, table.blockId] }),
    index('posting_block').on(table.blockId),
    ofOrganization(),
  ],
);
