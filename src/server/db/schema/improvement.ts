import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, real, text } from 'drizzle-orm/pg-core';
import { clusterStates, topicNaming, unansweredReasons } from '../../../contract/improvement.ts';
import { agent } from './agent.ts';
import { conversation, message } from './chat.ts';
import { bytes, createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { knowledge } from './knowledge.ts';

/** Questions that ask the same thing and weren't answered well. Its words are those of its questions. */
export const questionCluster = pgTable(
  'question_cluster',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    state: text('state', { enum: clusterStates }).notNull().default('open'),
    /** The question most similar to all of them. */
    typicalId: text('typical_id').references(() => message.id, { onDelete: 'set null' }),
    /** Why it doesn't need an answer. */
    reason: text('reason').notNull().default(''),
    /** A member's wording, and its terms: they match later questions once all earlier ones are gone. */
    question: text('question'),
    terms: jsonb('terms').$type<Record<string, number>>(),
    /** The pair and the test that the answer has become. */
    knowledgeId: text('knowledge_id').references(() => knowledge.id, { onDelete: 'set null' }),
    testCaseId: text('test_case_id'),
    answeredAt: moment('answered_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('question_cluster_agent').on(table.agentId, table.state),
    index('question_cluster_typical').on(table.typicalId),
    index('question_cluster_knowledge').on(table.knowledgeId),
    ofOrganization(),
  ],
);

/** A subject people ask about. */
export const topic = pgTable(
  'topic',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    named: text('named', { enum: topicNaming }).notNull().default('words'),
    /** Accepts new questions but doesn't change otherwise. */
    frozen: boolean('frozen').notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [index('topic_agent').on(table.agentId), ofOrganization()],
);

/** An end user's message that asks something, and its outcome. */
export const question = pgTable(
  'question',
  {
    messageId: text('message_id')
      .primaryKey()
      .references(() => message.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    answerId: text('answer_id').notNull(),
    text: text('text').notNull(),
    /** What it is compared by; for a question that says little on its own, including the preceding one. */
    terms: jsonb('terms').$type<Record<string, number>>().notNull(),
    /** ISO 639-1; empty if undetermined. */
    language: text('language').notNull(),
    askedAt: moment('asked_at').notNull(),
    /** False while its answer is in progress or waits for something. */
    isSettled: boolean('is_settled').notNull(),
    /** Why it counts as unanswered; null if it was answered. */
    why: text('why', { enum: unansweredReasons }),
    /** How much of it the passages covered, 0 to 1; null if nothing was searched. */
    confidence: real('confidence'),
    /** It has been considered for a cluster and a topic. */
    isGrouped: boolean('is_grouped').notNull().default(false),
    clusterId: text('cluster_id').references(() => questionCluster.id, { onDelete: 'set null' }),
    topicId: text('topic_id').references(() => topic.id, { onDelete: 'set null' }),
    /** From the embedding model of that name. */
    vector: bytes('vector'),
    vectorModel: text('vector_model'),
  },
  (table) => [
    index('question_agent').on(table.agentId, table.askedAt),
    index('question_conversation').on(table.conversationId),
    index('question_cluster_time').on(table.clusterId, table.askedAt),
    index('question_topic').on(table.topicId, table.askedAt),
    index('question_unanswered')
      .on(table.agentId, table.askedAt)
      .where(sql`why is not null`),
    index('question_unsettled')
      .on(table.agentId)
      .where(sql`not is_settled`),
    index('question_confidence')
      .on(table.agentId, table.confidence)
      .where(sql`confidence is not null`),
    index('question_disliked')
      .on(table.agentId)
      .where(sql`why = 'disliked'`),
    ofOrganization(),
  ],
);

/** How far an agent's conversations have been read for questions. */
export const questionReading = pgTable(
  'question_reading',
  {
    agentId: text('agent_id')
      .primaryKey()
      .references(() => agent.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    seenUntil: moment('seen_until'),
    /** Incremented whenever the groups change: a grouping computed from an earlier state isn't written. */
    revision: integer('revision').notNull().default(0),
    /** Something hasn't been grouped yet. */
    isDue: boolean('is_due').notNull().default(false),
    groupedAt: moment('grouped_at'),
    /** How long grouping took. */
    groupedMs: integer('grouped_ms').notNull().default(0),
  },
  () => [ofOrganization()],
);
