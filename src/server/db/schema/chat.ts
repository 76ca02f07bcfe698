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
  handlings,
  messageRoles,
  messageStates,
  ratings,
  type Attachment,
  type Citation,
} from '../../../contract/chat.ts';
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
    /** A version of the agent that members try here, 0 for the draft as it is at each message; null: what is live. */
    agentVersion: integer('agent_version'),
    /** Calls of tools that do more than look are not made here. */
    dryRun: boolean('dry_run').notNull().default(false),
    /** The page on which the last message was written; null where that is none of somebody's own site. */
    page: text('page'),
    /** The type of the plugin by which the end user writes; null where they write on pages of ours or by a program. */
    channel: text('channel', { enum: pluginTypes }),
    /** Where the end user was when they began it, ISO 3166-1 alpha-2; null where that is not known. */
    country: text('country'),
    /** In which the end user writes, ISO 639-1; null where that cannot be told, or was not looked at yet. Found by a sweep. */
    language: text('language'),
    /** Who answers. */
    handling: text('handling', { enum: handlings }).notNull().default('bot'),
    /** The member who has it, while `handling` is `human`. */
    assigneeId: text('assignee_id').references(() => user.id, { onDelete: 'set null' }),
    /** As far as the end user has read since a person was wanted, and when they last looked; 0: none was. */
    seenSequence: integer('seen_sequence').notNull().default(0),
    seenAt: moment('seen_at'),
    /** Not listed, and gone a day after the last message. */
    temporary: boolean('temporary').notNull().default(false),
    pinnedAt: moment('pinned_at'),
    /** Can be taken back for a while, then it is gone. */
    deletedAt: moment('deleted_at'),
    /** The message in which an answer is being made; null while none is. */
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
    // Most are the agent's alone.
    index('conversation_inbox')
      .on(table.organizationId, table.handling, table.updatedAt, table.id)
      .where(sql`handling <> 'bot'`),
    index('conversation_assignee')
      .on(table.assigneeId)
      .where(sql`assignee_id is not null`),
    ofOrganization(),
    ownRows(),
    // As ownRows, for who is in a room that somebody else has opened.
    pgPolicy('joined_rows', {
      for: 'select',
      using: sql`exists (select 1 from participant where participant.conversation_id = ${table.id} and participant.user_id = ${scopedUser})`,
    }),
  ],
);

/** What an answer cost and rested on; for members, never for end users. */
export interface Receipt {
  /** The model that answered; `none` when no model was asked. */
  model: string;
  /** Models that were tried before it and failed. */
  failedModels?: string[];
  /** The agent's version. */
  agentVersion?: number;
  /** What was searched for. */
  query?: string;
  /** Which share of the question the passages hold, 0 to 1. */
  support?: number;
  /** It says that it knows no answer. */
  refused?: true;
  /** It was ended before all was said; what there is of it is an answer. */
  cut?: Cut;
  inputTokens: number | null;
  /** Of these, what the provider still knew and charges less for. */
  cachedTokens?: number | null;
  outputTokens: number | null;
  /** What the models charged, at the prices of that moment, in billionths of a US dollar; null where it is not known. */
  costNanoUsd?: number | null;
  firstTokenMs: number | null;
  totalMs: number;
  /** What the answer took from the organization's credits. */
  credits?: number;
  /** What was called of tools. */
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
    /** What was sent with it. */
    attachments: jsonb('attachments').$type<Attachment[]>().notNull().default([]),
    /** Questions that may follow the answer. */
    suggestions: jsonb('suggestions').$type<string[]>().notNull().default([]),
    error: text('error'),
    /** It called something, or wants to. */
    hasToolCalls: boolean('has_tool_calls').notNull().default(false),
    /** Whose words they are in a room of several people; null: the conversation's own end user, or the agent. */
    authorId: text('author_id').references(() => user.id, { onDelete: 'set null' }),
    /** The message that this one follows; null for the first. Two that follow the same are branches of each other. */
    parentId: text('parent_id'),
    /** On the branch that is shown. Sequence numbers grow along every branch. */
    active: boolean('active').notNull().default(true),
    /** By which a repeated send is known as the same. */
    sendKey: text('send_key'),
    /** Credits of the organization that are held for this answer until it is settled. */
    reserved: integer('reserved').notNull().default(0),
    /** Whose credits it takes beside them: held until it is settled, and taken. The database keeps the ledger by these. */
    entitlementId: text('entitlement_id'),
    held: integer('held').notNull().default(0),
    spent: integer('spent').notNull().default(0),
    sequence: integer('sequence').notNull(),
    /** The process that is making this answer; null once it is settled. */
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

/** What somebody thought of an answer. */
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

/** A file that somebody brought into a conversation; seen nowhere else. */
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
    /** What was read in a document; null for a picture or a recording. */
    text: text('text'),
    createdAt: createdAt(),
  },
  (table) => [
    index('attachment_conversation').on(table.conversationId),
    index('attachment_organization').on(table.organizationId),
    ofOrganization(),
  ],
);

/** A way into a conversation for others. Its secret is made from its id, so it is not stored. */
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
    /** What is read through it is this message and those before it, on whatever branch they stand by now, under this title. */
    lastSequence: integer('last_sequence').notNull(),
    lastMessageId: text('last_message_id'),
    title: text('title'),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    createdAt: createdAt(),
  },
  (table) => [index('chat_link_conversation').on(table.conversationId), ofOrganization()],
);

/** Somebody in a room beside who opened it. */
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
