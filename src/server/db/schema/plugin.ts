import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { channelMessageStates, pluginHealth, pluginStatuses } from '../../../contract/plugin.ts';
import { pluginTypes } from '../../../contract/plugin-names.ts';
import { webhookEvents, type PluginSettings } from '../../../contract/plugin-types.ts';
import { deliveryStates } from '../../../contract/webhook.ts';
import type { Asked } from '../../channels/channel.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { conversation, message } from './chat.ts';
import { user } from './identity.ts';
import { visitor } from './visitor.ts';

export const plugin = pgTable(
  'plugin',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    type: text('type', { enum: pluginTypes }).notNull(),
    handle: text('handle').notNull(),
    settingsData: jsonb('settings_data').$type<PluginSettings>().notNull(),
    status: text('status', { enum: pluginStatuses }).notNull().default('active'),
    /** Encrypted; null until an account is connected. */
    credentials: text('credentials'),
    accountName: text('account_name'),
    health: text('health', { enum: pluginHealth }).notNull().default('unknown'),
    healthError: text('health_error'),
    checkedAt: moment('checked_at'),
    /** For a webhook: how far events have been searched for what to send it. */
    seenUntil: moment('seen_until').notNull().defaultNow(),
    /** For a channel whose service is polled: how far it has been read since the account was connected or the plugin resumed. */
    asked: jsonb('asked').$type<Asked>(),
    /** When to poll it next. */
    askAt: moment('ask_at').notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('plugin_agent').on(table.agentId, table.createdAt), ofOrganization()],
);

/** A plugin's sign-in in progress at another service, bound to the browser of the member who started it. */
export const pluginLogin = pgTable(
  'plugin_login',
  {
    stateHash: text('state_hash').primaryKey(),
    organizationId: organizationId(),
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugin.id, { onDelete: 'cascade' }),
    /** The member whose write permission is checked again at the end. */
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** The ticket that started it, which can be used once. */
    ticketHash: text('ticket_hash').notNull(),
    browserHash: text('browser_hash').notNull(),
    /** PKCE; worthless without the code, as is the code without it. */
    codeVerifier: text('code_verifier').notNull(),
    usedAt: moment('used_at'),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [uniqueIndex('plugin_login_ticket').on(table.ticketHash), ofOrganization()],
);

/** Where a channel's person and the agent talk: a direct chat, or their part of a group's thread. */
export const channelThread = pgTable(
  'channel_thread',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugin.id, { onDelete: 'cascade' }),
    /** The channel's identifier for the place. */
    place: text('place').notNull(),
    /** The channel's identifier for the person. */
    person: text('person').notNull(),
    visitorId: text('visitor_id')
      .notNull()
      .references(() => visitor.id, { onDelete: 'cascade' }),
    /** Null until the agent is asked, and again after the conversation is deleted: the next message starts another. */
    conversationId: text('conversation_id').references(() => conversation.id, { onDelete: 'set null' }),
    /** It continues a conversation from our own pages, whose end user is the person writing. */
    relays: boolean('relays').notNull().default(false),
    /** The message whose answer told the person that they are talking to an AI; null: not yet. */
    disclosedWith: text('disclosed_with'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('channel_thread_place').on(table.pluginId, table.place, table.person),
    index('channel_thread_conversation').on(table.conversationId),
    index('channel_thread_visitor').on(table.visitorId),
    ofOrganization(),
  ],
);

export interface ChannelFile {
  name: string;
  /** The service's reference to it. */
  reference: string;
  isSpoken: boolean;
  refusal?: string;
}

/** A person's message in a channel, stored before its service is told that it has arrived. */
export const channelMessage = pgTable(
  'channel_message',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugin.id, { onDelete: 'cascade' }),
    threadId: text('thread_id')
      .notNull()
      .references(() => channelThread.id, { onDelete: 'cascade' }),
    /** The channel's id for it: identical for the same message, however often it is sent. */
    externalId: text('external_id').notNull(),
    personName: text('person_name').notNull(),
    text: text('text').notNull(),
    /** What its service wants back with the answer; null if nothing, and once the answer has been delivered. */
    replyTo: text('reply_to'),
    /** Its files; for those that couldn't be accepted, the reason as told to the person. */
    files: jsonb('files').$type<ChannelFile[]>().notNull().default([]),
    state: text('state', { enum: channelMessageStates }).notNull().default('received'),
    /** The agent's answer. */
    answerId: text('answer_id').references(() => message.id, { onDelete: 'set null' }),
    /** How much of the answer the person had seen before giving the permission it waited for. */
    saidCharacters: integer('said_characters').notNull().default(0),
    /** How many parts of the answer have been delivered. */
    partsSent: integer('parts_sent').notNull().default(0),
    error: text('error'),
    receivedAt: moment('received_at').notNull().defaultNow(),
    answeredAt: moment('answered_at'),
  },
  (table) => [
    uniqueIndex('channel_message_external').on(table.pluginId, table.externalId),
    index('channel_message_thread').on(table.threadId, table.id),
    index('channel_message_plugin').on(table.pluginId, table.id),
    index('channel_message_answer').on(table.answerId),
    ofOrganization(),
  ],
);

/** An event, as sent to a webhook. */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    pluginId: text('plugin_id')
      .notNull()
      .references(() => plugin.id, { onDelete: 'cascade' }),
    event: text('event', { enum: webhookEvents }).notNull(),
    /** What it is about: each subject is reported once. */
    subject: text('subject').notNull(),
    /** The body, identical on every attempt, so that its signature can be verified against what was sent. */
    payload: text('payload').notNull(),
    state: text('state', { enum: deliveryStates }).notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    status: integer('status'),
    error: text('error'),
    durationMs: integer('duration_ms'),
    createdAt: createdAt(),
    attemptedAt: moment('attempted_at'),
  },
  (table) => [
    uniqueIndex('webhook_delivery_subject').on(table.pluginId, table.event, table.subject),
    index('webhook_delivery_plugin').on(table.pluginId, table.id),
    ofOrganization(),
  ],
);
