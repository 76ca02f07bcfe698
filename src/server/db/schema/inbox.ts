import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { handoverOrigins, type InboxSetting } from '../../../contract/inbox.ts';
import { conversation, message } from './chat.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { user } from './identity.ts';
import { organization } from './organization.ts';

/** A period in which a conversation was with people, or waited for one. At most one per conversation is open. */
export const handover = pgTable(
  'handover',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    by: text('by', { enum: handoverOrigins }).notNull(),
    reason: text('reason').notNull().default(''),
    askedAt: moment('asked_at').notNull().defaultNow(),
    /** Who first took it over, and when. */
    takenBy: text('taken_by').references(() => user.id, { onDelete: 'set null' }),
    takenAt: moment('taken_at'),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('handover_conversation').on(table.conversationId, table.askedAt),
    uniqueIndex('handover_open')
      .on(table.conversationId)
      .where(sql`ended_at is null`),
    index('handover_taken_by').on(table.takenBy),
    ofOrganization(),
  ],
);

/** Notes that members leave each other on a conversation. */
export const conversationNote = pgTable(
  'conversation_note',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    authorId: text('author_id').references(() => user.id, { onDelete: 'set null' }),
    text: text('text').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('conversation_note_conversation').on(table.conversationId, table.id),
    index('conversation_note_author').on(table.authorId),
    ofOrganization(),
  ],
);

export const cannedAnswer = pgTable(
  'canned_answer',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    text: text('text').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('canned_answer_organization').on(table.organizationId, table.id), ofOrganization()],
);

/** No row: people answer at all times, and owners and admins are notified of waiting end users. */
export const inboxSetting = pgTable(
  'inbox_setting',
  {
    organizationId: organizationId()
      .primaryKey()
      .references(() => organization.id, { onDelete: 'cascade' }),
    officeHours: jsonb('office_hours').$type<InboxSetting['officeHours']>(),
    awayMessage: text('away_message').notNull(),
    notify: text('notify', { enum: ['nobody', 'managers', 'all'] }).notNull(),
  },
  () => [ofOrganization()],
);

/** A member's message to someone in a channel, until it has been delivered there. */
export const channelSaying = pgTable(
  'channel_saying',
  {
    messageId: text('message_id')
      .primaryKey()
      .references(() => message.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    partsSent: integer('parts_sent').notNull().default(0),
    /** Why delivery failed for good. */
    error: text('error'),
    sentAt: moment('sent_at'),
  },
  (table) => [index('channel_saying_conversation').on(table.conversationId), ofOrganization()],
);
