import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { reportPaces } from '../../../contract/insight-periods.ts';
import { user } from './identity.ts';
import { organization } from './organization.ts';

/** What is counted, in every table of sums. */
const counters = () => ({
  /** Begun. */
  conversations: integer('conversations').notNull(),
  /** Written by end users, on any branch. */
  messages: integer('messages').notNull(),
  answered: integer('answered').notNull(),
  /** The agent said that it has no answer. */
  unanswered: integer('unanswered').notNull(),
  failed: integer('failed').notNull(),
  ratedUp: integer('rated_up').notNull(),
  ratedDown: integer('rated_down').notNull(),
  /** Requests for a person. */
  handovers: integer('handovers').notNull(),
  inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
  outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
  credits: integer('credits').notNull(),
  /** What providers charge for answers, in billionths of a US dollar, where known. */
  cost: bigint('cost', { mode: 'bigint' })
    .notNull()
    .default(sql`0`),
  /** Answers, including failed and stopped ones, whose cost is known, and those whose cost isn't. */
  priced: integer('priced').notNull().default(0),
  unpriced: integer('unpriced').notNull().default(0),
});

const ofAgent = () =>
  text('agent_id')
    .notNull()
    .references(() => agent.id, { onDelete: 'cascade' });

/**
 * What one conversation contributes to an hour. All sums are sums of these rows, so a conversation is recounted by
 * replacing its own, whenever it took place. It has no foreign key to the conversation: a deleted one's row tells which
 * sums include it.
 */
export const insightConversation = pgTable(
  'insight_conversation',
  {
    agentId: ofAgent(),
    conversationId: text('conversation_id').notNull(),
    hour: moment('hour').notNull(),
    organizationId: organizationId(),
    userId: text('user_id').notNull(),
    channel: text('channel').notNull(),
    /** Empty if unknown. */
    country: text('country').notNull(),
    /** The same. */
    language: text('language').notNull().default(''),
    ...counters(),
    /** Of the person's messages in this hour; null: none. */
    firstAt: moment('first_at'),
    lastAt: moment('last_at'),
    /** One entry per answer. */
    firstTokenMs: integer('first_token_ms').array().notNull(),
    totalMs: integer('total_ms').array().notNull(),
    /** One entry per request for a person that was taken up. */
    waitSeconds: integer('wait_seconds').array().notNull(),
    /** Knowledge items, each with how many answers cite it. */
    sources: jsonb('sources').$type<Record<string, number>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.hour] }),
    index('insight_conversation_hour').on(table.agentId, table.hour),
    // Counting people reads only this index.
    index('insight_conversation_people')
      .on(table.organizationId, table.agentId, table.hour, table.userId)
      .where(sql`last_at is not null`),
    index('insight_conversation_user').on(table.agentId, table.userId),
    ofOrganization(),
  ],
);

/** A member's work on a conversation in an hour. */
export const insightMember = pgTable(
  'insight_member',
  {
    agentId: ofAgent(),
    conversationId: text('conversation_id').notNull(),
    hour: moment('hour').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    /** Messages to the end user. */
    answers: integer('answers').notNull(),
    takeovers: integer('takeovers').notNull(),
    waitSeconds: integer('wait_seconds').array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.hour, table.userId] }),
    index('insight_member_hour').on(table.organizationId, table.hour),
    index('insight_member_agent').on(table.agentId),
    index('insight_member_user').on(table.userId),
    ofOrganization(),
  ],
);

export const insightHour = pgTable(
  'insight_hour',
  {
    agentId: ofAgent(),
    hour: moment('hour').notNull(),
    organizationId: organizationId(),
    ...counters(),
    waitSeconds: integer('wait_seconds').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.hour] }), ofOrganization()],
);

/**
 * `channel`, `country`, `language`: conversations started. `source`: answers that cite it. The others: answers per
 * latency bucket.
 */
export const insightShareKinds = ['channel', 'country', 'language', 'source', 'firstToken', 'total'] as const;

/** The breakdown of an hour. */
export const insightShare = pgTable(
  'insight_share',
  {
    agentId: ofAgent(),
    hour: moment('hour').notNull(),
    kind: text('kind', { enum: insightShareKinds }).notNull(),
    value: text('value').notNull(),
    organizationId: organizationId(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.hour, table.kind, table.value] }),
    // Reading a period reads only this index.
    index('insight_share_kind').on(
      table.organizationId,
      table.agentId,
      table.kind,
      table.hour,
      table.value,
      table.count,
    ),
    ofOrganization(),
  ],
);

/**
 * An end user of an agent, over all time. Without a foreign key: counting and deleting a person would otherwise wait
 * for each other. Deleting the person deletes their conversations, and with them this row.
 */
export const insightPerson = pgTable(
  'insight_person',
  {
    agentId: ofAgent(),
    userId: text('user_id').notNull(),
    organizationId: organizationId(),
    ...counters(),
    firstSeenAt: moment('first_seen_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.userId] }),
    index('insight_person_seen').on(table.organizationId, table.agentId, table.lastSeenAt, table.userId),
    ofOrganization(),
  ],
);

/** How far an agent's conversations have been counted. */
export const insightRollup = pgTable(
  'insight_rollup',
  {
    agentId: ofAgent().primaryKey(),
    organizationId: organizationId(),
    /** Changes before this are counted, except for writes that were in progress at that moment. */
    countedUntil: moment('counted_until')
      .notNull()
      .default(sql`'epoch'`),
    /** The language of everything that changed before this has been determined. */
    heardUntil: moment('heard_until')
      .notNull()
      .default(sql`'epoch'`),
  },
  () => [ofOrganization()],
);

/**
 * Conversations to recount although they may not have been written to: rated, deleted, restored, reassigned. Written by
 * triggers; a queue, so that no two writers wait for each other.
 */
export const insightChange = pgTable(
  'insight_change',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id').notNull(),
    conversationId: text('conversation_id').notNull(),
  },
  (table) => [index('insight_change_agent').on(table.agentId, table.id), ofOrganization()],
);

/** Who gets an organization's numbers by email. */
export const insightReport = pgTable(
  'insight_report',
  {
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    every: text('every', { enum: reportPaces }).notNull(),
    /** The mail is sent when it is morning in this zone. */
    timeZone: text('time_zone').notNull(),
    dueAt: moment('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    index('insight_report_due').on(table.dueAt),
    ofOrganization(),
  ],
);

/** Lets anyone read an agent's numbers, and nothing else, until it ends. */
export const insightLink = pgTable(
  'insight_link',
  {
    id: text('id').primaryKey(),
    agentId: ofAgent(),
    organizationId: organizationId(),
    name: text('name').notNull(),
    /** The token is shown once and never stored. */
    tokenHash: text('token_hash').notNull(),
    /** Null: until it is removed. */
    expiresAt: moment('expires_at'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('insight_link_token').on(table.tokenHash),
    index('insight_link_agent').on(table.agentId, table.createdAt),
    ofOrganization(),
  ],
);
