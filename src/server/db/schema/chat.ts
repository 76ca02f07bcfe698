import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { messageRoles, messageStates, type Citation } from '../../../contract/chat.ts';
import { agent } from './agent.ts';
import { createdAt, moment, ofOrganization, organizationId, ownRows } from './columns.ts';
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
    title: text('title').notNull(),
    /** The sequence number of the newest message. */
    lastSequence: integer('last_sequence').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('conversation_user').on(table.userId, table.updatedAt, table.id),
    index('conversation_agent').on(table.agentId, table.updatedAt, table.id),
    ofOrganization(),
    ownRows(),
  ],
);

/** What the answer cost and rested on; for members, never for end users. */
export interface Receipt {
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
  firstTokenMs: number | null;
  totalMs: number;
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
    error: text('error'),
    sequence: integer('sequence').notNull(),
    /** The process that is making this answer; null once it is settled. */
    runner: bigint('runner', { mode: 'number' }),
    receipt: jsonb('receipt').$type<Receipt>(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('message_conversation_sequence').on(table.conversationId, table.sequence),
    index('message_runner').on(table.runner),
    ofOrganization(),
  ],
);
