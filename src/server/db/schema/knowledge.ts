import { sql } from 'drizzle-orm';
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
import {
  knowledgeSchedules,
  knowledgeStates,
  knowledgeTypes,
  type SiteSettings,
} from '../../../contract/knowledge.ts';
import { revisionCauses, revisionStates } from '../../../contract/revision.ts';
import type { ProductCard } from '../../../contract/source.ts';
import { agent } from './agent.ts';
import { bytes, createdAt, moment, ofOrganization, organizationId } from './columns.ts';
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

/** A resumable upload in progress; its bytes are in storage until it becomes a file. */
export const upload = pgTable(
  'upload',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    createdBy: text('created_by').notNull(),
    name: text('name').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    receivedBytes: bigint('received_bytes', { mode: 'number' }).notNull().default(0),
    /** The file it has become. */
    fileId: text('file_id').references(() => file.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('upload_organization').on(table.organizationId),
    index('upload_expires').on(table.expiresAt),
    ofOrganization(),
  ],
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
    site: jsonb('site').$type<SiteSettings>(),
    schedule: text('schedule', { enum: knowledgeSchedules }).notNull().default('manual'),
    /** The number of the revision being searched. */
    revision: integer('revision').notNull().default(1),
    syncedAt: moment('synced_at'),
    nextSyncAt: moment('next_sync_at'),
    state: text('state', { enum: knowledgeStates }).notNull().default('queued'),
    error: text('error'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('knowledge_agent').on(table.agentId, table.createdAt),
    index('knowledge_next_sync').on(table.nextSyncAt),
    ofOrganization(),
  ],
);

/**
 * What an item contained at a point in time: the sources with `revision` at most its number and `retired_in` above it,
 * or null.
 */
export const knowledgeRevision = pgTable(
  'knowledge_revision',
  {
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    knowledgeId: text('knowledge_id')
      .notNull()
      .references(() => knowledge.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    state: text('state', { enum: revisionStates }).notNull().default('building'),
    cause: text('cause', { enum: revisionCauses }).notNull(),
    added: integer('added').notNull().default(0),
    changed: integer('changed').notNull().default(0),
    removed: integer('removed').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    reason: text('reason'),
    /** The person or key that caused it; null for the schedule. */
    createdBy: text('created_by'),
    /** Who approved its use although too much had disappeared. */
    approvedBy: text('approved_by'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.knowledgeId, table.number] }), ofOrganization()],
);

/** One document inside an item. Its text is kept, so that chunks can be rebuilt without rereading it. */
export const source = pgTable(
  'source',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    knowledgeId: text('knowledge_id')
      .notNull()
      .references(() => knowledge.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['text', 'file', 'page', 'qa', 'product'] }).notNull(),
    /** The revision that added it, and the one that removed it. */
    revision: integer('revision').notNull().default(1),
    retiredIn: integer('retired_in'),
    /** The newest revision for which it was checked and found unchanged. */
    checkedIn: integer('checked_in').notNull().default(1),
    /** Number of links away from the given addresses. */
    depth: integer('depth').notNull().default(0),
    /** The source of the item that holds the same text and is searched instead of this one. */
    sameAs: text('same_as'),
    card: jsonb('card').$type<ProductCard>(),
    title: text('title').notNull(),
    url: text('url'),
    fileId: text('file_id').references(() => file.id, { onDelete: 'cascade' }),
    /** Markdown, with a form feed between the pages of a paged document. */
    text: text('text'),
    characters: integer('characters').generatedAlwaysAs(sql`coalesce(length(text), 0)`),
    language: text('language'),
    contentHash: text('content_hash'),
    etag: text('etag'),
    lastModified: text('last_modified'),
    state: text('state', { enum: knowledgeStates }).notNull().default('queued'),
    error: text('error'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('source_knowledge').on(table.knowledgeId),
    index('source_organization')
      .on(table.organizationId)
      .where(sql`retired_in is null`),
    uniqueIndex('source_revision_url').on(table.knowledgeId, table.revision, table.url),
    index('source_file').on(table.fileId),
    ofOrganization(),
  ],
);

/**
 * The unit in which the index is written and replaced: some sources of one item, chunked and analyzed together in one
 * transaction. A term has one row in it however many sources contain the term, which keeps the index small.
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
    /** Word count of all its chunks, with title and headings counted as often as the ranking counts them. */
    wordCount: bigint('word_count', { mode: 'number' }).notNull(),
    /** The languages whose rules produced its terms. */
    languages: text('languages').array().notNull(),
  },
  (table) => [
    index('index_block_agent').on(table.agentId),
    index('index_block_knowledge').on(table.knowledgeId),
    ofOrganization(),
  ],
);

/** A short name for each chunk in the postings, which have 40 bits for it. */
export const chunkNumber = pgSequence('chunk_number', { maxValue: 2 ** 40 - 1 });

/** A retrievable passage with its position in the source. */
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
    /** The embedding model that last failed to return a vector for it, why, and how many times it has refused. */
    refusedBy: text('refused_by'),
    refusal: text('refusal'),
    refusedTimes: integer('refused_times').notNull().default(0),
    /** When to ask that model again; null: never. */
    askAgainAt: moment('ask_again_at'),
  },
  (table) => [
    uniqueIndex('chunk_number_unique').on(table.number),
    uniqueIndex('chunk_source_ordinal').on(table.sourceId, table.ordinal),
    index('chunk_block').on(table.blockId),
    index('chunk_refused')
      .on(table.agentId)
      .where(sql`refused_by is not null`),
    ofOrganization(),
  ],
);

/** A string of 0 and 1. */
const bits = customType<{ data: string }>({ dataType: () => 'bit varying' });

/**
 * The inverted index: for a term, the chunks of one block that contain it; `features/knowledge/index/postings.ts`
 * defines the layout.
 */
export const posting = pgTable(
  'posting',
  {
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    term: text('term').notNull(),
    /**
     * A block created by the same transaction; a trigger deletes the rows along with it. Checking a foreign key for
     * each row took a third of the time of writing them.
     */
    blockId: bigint('block_id', { mode: 'number' }).notNull(),
    entries: bytes('entries').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.term, table.blockId] }),
    index('posting_block').on(table.blockId),
    ofOrganization(),
  ],
);

/** A chunk as a vector of the configured embedding model; vectors of other models aren't compared. */
export const chunkVector = pgTable(
  'chunk_vector',
  {
    chunkId: text('chunk_id')
      .primaryKey()
      .references(() => chunk.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    /** `provider/model`. */
    model: text('model').notNull(),
    /** The signs of the vector's numbers: compared first. */
    bits: bits('bits').notNull(),
    /** The numbers, as little-endian 32-bit floats: used to compare the best matches again. */
    vector: bytes('vector').notNull(),
  },
  (table) => [index('chunk_vector_agent').on(table.agentId, table.model), ofOrganization()],
);
