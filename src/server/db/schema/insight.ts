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
  /** That an end user wrote, on whatever branch. */
  messages: integer('messages').notNull(),
  answered: integer('answered').notNull(),
  /** The agent said that it knows no answer. */
  unanswered: integer('unanswered').notNull(),
  failed: integer('failed').notNull(),
  ratedUp: integer('rated_up').notNull(),
  ratedDown: integer('rated_down').notNull(),
  /** A person was asked for. */
  handovers: integer('handovers').notNull(),
  inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
  outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
  credits: integer('credits').notNull(),
  /** What providers charge for answers, in billionths of a US dollar: of those of which it is known. */
  cost: bigint('cost', { mode: 'bigint' })
    .notNull()
    .default(sql`0`),
  /** Answers, also such as failed or were stopped, whose cost is known, and those of which it is not. */
  priced: integer('priced').notNull().default(0),
  unpriced: integer('unpriced').notNull().default(0),
});

const ofAgent = () =>
  text('agent_id')
    .notNull()
    .references(() => agent.id, { onDelete: 'cascade' });

/**
 * What one conversation adds to an hour. All sums are sums of these rows, so a conversation is counted anew by replacing its
 * own, whenever it was. It names no conversation by a foreign key: the row of one that is gone says which sums hold it.
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
    /** Empty where it is not known. */
    country: text('country').notNull(),
    /** The same. */
    language: text('language').notNull().default(''),
    ...counters(),
    /** Of what the person wrote in this hour; null: nothing. */
    firstAt: moment('first_at'),
    lastAt: moment('last_at'),
    /** Of each answer. */
    firstTokenMs: integer('first_token_ms').array().notNull(),
    totalMs: integer('total_ms').array().notNull(),
    /** Of each person who was asked for and came. */
    waitSeconds: integer('wait_seconds').array().notNull(),
    /** Knowledge items, each with how many answers cite it. */
    sources: jsonb('sources').$type<Record<string, number>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.hour] }),
    index('insight_conversation_hour').on(table.agentId, table.hour),
    // Whoever counts people reads nothing but this.
    index('insight_conversation_people')
      .on(table.organizationId, table.agentId, table.hour, table.userId)
      .where(sql`last_at is not null`),
    index('insight_conversation_user').on(table.agentId, table.userId),
    ofOrganization(),
  ],
);

/** What a member did for a conversation in an hour. */
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

/** `channel`, `country`, `language`: conversations begun. `source`: answers that cite it. The others: answers in a bucket of latencies. */
export const insightShareKinds = ['channel', 'country', 'language', 'source', 'firstToken', 'total'] as const;

/** How an hour is made up. */
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
    // Whoever reads a period reads nothing but this.
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
 * An end user of an agent, over all time. Without a foreign key: whoever counts would wait for who deletes a person, and the other
 * way round. With the person go their conversations, and with these this row.
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

/** How far the conversations of an agent are counted. */
export const insightRollup = pgTable(
  'insight_rollup',
  {
    agentId: ofAgent().primaryKey(),
    organizationId: organizationId(),
    /** What changed before is counted, but for what was being written at that moment. */
    countedUntil: moment('counted_until')
      .notNull()
      .default(sql`'epoch'`),
    /** Of what changed before, it is known in which language it is. */
    heardUntil: moment('heard_until')
      .notNull()
      .default(sql`'epoch'`),
  },
  () => [ofOrganization()],
);

/**
 * Conversations to be counted again though they need not have been written to: rated, deleted, brought back, given to somebody
 * else. Written by triggers; a queue, so that no two writers wait for each other.
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

/** Who gets the numbers of an organization by mail. */
export const insightReport = pgTable(
  'insight_report',
  {
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    every: text('every', { enum: reportPaces }).notNull(),
    /** In which it is morning when the mail is sent. */
    timeZone: text('time_zone').notNull(),
    dueAt: moment('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    index('insight_report_due').on(table.dueAt),
    ofOrganization(),
  ],
);

/** By which anybody reads the numbers of an agent, and nothing else, until it ends. */
export const insightLink = pgTable(
  'insight_link',
  {
    id: text('id').primaryKey(),
    agentId: ofAgent(),
    organizationId: organizationId(),
    name: text('name').notNull(),
    /** Its token is shown once and kept nowhere. */
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
