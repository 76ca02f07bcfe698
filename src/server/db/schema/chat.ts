import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import {
  conversationKinds,
  feedbackReasons,
  messageRoles,
  messageStates,
  ratings,
  type Attachment,
  type Citation,
} from '../../../contract/chat.ts';
import { handlings } from '../../../contract/handling.ts';
import { linkAudiences, linkKinds } from '../../../contract/chat-link.ts';
import { pluginTypes } from '../../../contract/plugin-names.ts';
import type { ToolCallState } from '../../../contract/tool.ts';
import type { Cut } from '../../llm/ask.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId, ownRows, scopedUser } from './columns.ts';
import { user } from './identity.ts';

export const conversation = pgTable(
  'conversation',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    /** The end user. */
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: conversationKinds }).notNull().default('chat'),
    title: text('title').notNull(),
    /** The agent version members are trying here, 0 for the draft as it stands at each message; null: the live one. */
    agentVersion: integer('agent_version'),
    /** Tool calls that do more than read aren't made here. */
    dryRun: boolean('dry_run').notNull().default(false),
    /** The page where the last message was written; null if it isn't on an external site. */
    page: text('page'),
    /** The type of plugin the end user writes through; null if they write on our own pages or through a program. */
    channel: text('channel', { enum: pluginTypes }),
    /** Where the end user was when they started it, ISO 3166-1 alpha-2; null if unknown. */
    country: text('country'),
    /** The language the end user writes in, ISO 639-1; null if undetermined, or not analyzed yet. Set by a sweep. */
    language: text('language'),
    /** Who answers. */
    handling: text('handling', { enum: handlings }).notNull().default('bot'),
    /** The member handling it, while `handling` is `human`. */
    assigneeId: text('assignee_id').references(() => user.id, { onDelete: 'set null' }),
    /** How far the end user has read since a person was requested or wrote, and when they last looked; 0: neither. */
    seenSequence: integer('seen_sequence').notNull().default(0),
    seenAt: moment('seen_at'),
    /** The sequence number of the newest message by a member; 0: none. */
    operatorSequence: integer('operator_sequence').notNull().default(0),
    /** Not listed, and deleted a day after the last message. */
    temporary: boolean('temporary').notNull().default(false),
    pinnedAt: moment('pinned_at'),
    /** Can be undone for a while, then the conversation is gone. */
    deletedAt: moment('deleted_at'),
    /** The message whose answer is in progress; null if there is none. */
    answering: text('answering'),
    /** The sequence number of the newest message. */
    lastSequence: integer('last_sequence').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('conversation_user').on(table.userId, table.updatedAt, table.id),
    index('conversation_agent').on(table.agentId, table.updatedAt, table.id),
    index('conversation_channel')
      .on(table.agentId, table.channel, table.updatedAt, table.id)
      .where(sql`channel is not null`),
    index('conversation_language')
      .on(table.agentId, table.language, table.updatedAt, table.id)
      .where(sql`language is not null`),
    // Most conversations are handled by the agent alone.
    index('conversation_inbox')
      .on(table.organizationId, table.handling, table.updatedAt, table.id)
      .where(sql`handling <> 'bot'`),
    index('conversation_assignee')
      .on(table.assigneeId)
      .where(sql`assignee_id is not null`),
    ofOrganization(),
    ownRows(),
    // Like ownRows, for people in a room that someone else opened.
    pgPolicy('joined_rows', {
      for: 'select',
      using: sql`exists (select 1 from participant where participant.conversation_id = ${table.id} and participant.user_id = ${scopedUser})`,
    }),
  ],
);

/** What an answer cost and was based on; for members, never for end users. */
export interface Receipt {
  /** The model that answered; `none` if no model was called. */
  model: string;
  /** Models that were tried first and failed. */
  failedModels?: string[];
  /** The agent's version. */
  agentVersion?: number;
  /** The search query. */
  query?: string;
  /** The share of the question that the passages cover, 0 to 1. */
  support?: number;
  /** It says that it has no answer. */
  refused?: true;
  /** It was cut off early; what exists still counts as an answer. */
  cut?: Cut;
  inputTokens: number | null;
  /** How many of these the provider had cached and charges less for. */
  cachedTokens?: number | null;
  outputTokens: number | null;
  /** What the models charged, at the prices at the time, in billionths of a US dollar; null if unknown. */
  costNanoUsd?: number | null;
  firstTokenMs: number | null;
  totalMs: number;
  /** What the answer took from the organization's credits. */
  credits?: number;
  /** The tool calls. */
  tools?: { tool: string; operation: string; state: ToolCallState }[];
  passages: { chunkId: string; score: number }[];
}

export const message = pgTable(
  'message',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    role: text('role', { enum: messageRoles }).notNull(),
    text: text('text').notNull(),
    state: text('state', { enum: messageStates }).notNull(),
    citations: jsonb('citations').$type<Citation[]>().notNull().default([]),
    /** Files sent with it. */
    attachments: jsonb('attachments').$type<Attachment[]>().notNull().default([]),
    /** Questions that may follow the answer. */
    suggestions: jsonb('suggestions').$type<string[]>().notNull().default([]),
    error: text('error'),
    /** It called a tool, or wants to. */
    hasToolCalls: boolean('has_tool_calls').notNull().default(false),
    /** The speaker in a room of several people; null: the conversation's own end user, or the agent. */
    authorId: text('author_id').references(() => user.id, { onDelete: 'set null' }),
    /** The message this one follows; null for the first. Two that follow the same message are branches of each other. */
    parentId: text('parent_id'),
    /** On the branch shown. Sequence numbers increase along every branch. */
    active: boolean('active').notNull().default(true),
    /** Identifies a repeated send. */
    sendKey: text('send_key'),
    /** The organization's credits held for this answer until it is settled. */
    reserved: integer('reserved').notNull().default(0),
    /**
     * The entitlement whose credits it takes as well: held until it is settled, then taken. The database keeps the
     * ledger from these.
     */
    entitlementId: text('entitlement_id'),
    held: integer('held').notNull().default(0),
    spent: integer('spent').notNull().default(0),
    sequence: integer('sequence').notNull(),
    /** The process generating this answer; null once it is settled. */
    runner: bigint('runner', { mode: 'number' }),
    receipt: jsonb('receipt').$type<Receipt>(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('message_conversation_sequence').on(table.conversationId, table.sequence),
    index('message_runner')
      .on(table.runner)
      .where(sql`runner is not null`),
    index('message_parent').on(table.parentId),
    index('message_entitlement')
      .on(table.entitlementId)
      .where(sql`entitlement_id is not null`),
    uniqueIndex('message_send_key')
      .on(table.conversationId, table.sendKey)
      .where(sql`send_key is not null`),
    ofOrganization(),
  ],
);

/** Someone's rating of an answer. */
export const messageFeedback = pgTable(
  'message_feedback',
  {
    messageId: text('message_id')
      .notNull()
      .references(() => message.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    rating: text('rating', { enum: ratings }).notNull(),
    reason: text('reason', { enum: feedbackReasons }),
    comment: text('comment').notNull().default(''),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.userId] }),
    index('message_feedback_time').on(table.organizationId, table.updatedAt),
    ofOrganization(),
  ],
);

/** A file that someone added to a conversation; visible nowhere else. */
export const attachment = pgTable(
  'attachment',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    storageKey: text('storage_key').notNull(),
    /** The text read from a document; null for a picture or a recording. */
    text: text('text'),
    createdAt: createdAt(),
  },
  (table) => [
    index('attachment_conversation').on(table.conversationId),
    index('attachment_organization').on(table.organizationId),
    ofOrganization(),
  ],
);

/** A way for others into a conversation. Its secret is derived from its id, so it isn't stored. */
export const chatLink = pgTable(
  'chat_link',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: linkKinds }).notNull(),
    audience: text('audience', { enum: linkAudiences }).notNull(),
    /** The link shows this message and those before it, whatever branch they are on now, under this title. */
    lastSequence: integer('last_sequence').notNull(),
    lastMessageId: text('last_message_id'),
    title: text('title'),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
  },
  (table) => [index('chat_link_conversation').on(table.conversationId), ofOrganization()],
);

/** Someone in a room other than the person who opened it. */
export const participant = pgTable(
  'participant',
  {
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    joinedAt: moment('joined_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.userId] }),
    index('participant_user').on(table.userId),
    ofOrganization(),
    ownRows(),
  ],
);
