import * as z from 'zod';
import { Conversation, Message } from './chat.ts';
import { name, nextCursor, page, text } from './common.ts';
import { idOf } from './id.ts';
import { CONVERSATION_TITLE_MAX_CHARACTERS } from './limits.ts';
import { route } from './route.ts';

const ofConversation = z.strictObject({ id: idOf('conversation') });

/** Where a search matched. */
export const Found = z.object({
  conversation: Conversation,
  /** A message on the branch shown; null when only the title matches. */
  messageId: idOf('message').nullable(),
  /** The matching words in context. */
  excerpt: z.string(),
});
export type Found = z.infer<typeof Found>;

/** `parentId` is the message it follows. */
export const ExportedMessage = Message.extend({
  /** On the branch shown. */
  active: z.boolean(),
});
export type ExportedMessage = z.infer<typeof ExportedMessage>;

export const history = {
  /** In titles and messages of my conversations, newest first, one match per conversation. Every word must occur. */
  search: route({
    method: 'GET',
    path: '/v1/chat/search',
    summary: 'Search my conversations',
    access: 'chat',
    input: z.strictObject({ query: text(200, 1), cursor: page.cursor, count: page.count }),
    output: z.object({ found: z.array(Found), nextCursor }),
  }),
  update: route({
    method: 'PUT',
    path: '/v1/chat/{id}',
    summary: 'Rename, pin or keep a conversation',
    access: 'chat',
    input: z.strictObject({
      id: idOf('conversation'),
      title: name(CONVERSATION_TITLE_MAX_CHARACTERS).optional(),
      pinned: z.boolean().optional(),
      /** Keeps a temporary conversation in which nothing has been said yet: it starts now. */
      temporary: z.literal(false).optional(),
    }),
    output: z.object({ conversation: Conversation }),
  }),
  /** It can no longer be found. It can be restored for an hour; then nothing of it remains. */
  remove: route({
    method: 'DELETE',
    path: '/v1/chat/{id}',
    summary: 'Delete a conversation',
    access: 'chat',
    input: ofConversation,
    output: z.object({ deleted: z.literal(true) }),
  }),
  restore: route({
    method: 'POST',
    path: '/v1/chat/{id}/restore',
    summary: 'Restore a deleted conversation',
    access: 'chat',
    input: ofConversation,
    output: z.object({ conversation: Conversation }),
  }),
  /** As Markdown for reading: the branch shown. As data: all branches. */
  export: route({
    method: 'GET',
    path: '/v1/chat/{id}/export',
    summary: 'Export a conversation',
    access: 'chat',
    input: z.strictObject({
      id: idOf('conversation'),
      format: z.enum(['markdown', 'json']).default('markdown'),
    }),
    output: z.object({
      fileName: z.string(),
      /** With `markdown`. */
      text: z.string().nullable(),
      /** With `json`. */
      conversation: Conversation.nullable(),
      messages: z.array(ExportedMessage).nullable(),
    }),
  }),
};
