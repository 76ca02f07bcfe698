import * as z from 'zod';
import { Author, Conversation, Message } from './chat.ts';
import { nextCursor, page, text, Timestamp, words } from './common.ts';
import { idOf } from './id.ts';
import { CHAT_LINK_MAX_DAYS } from './limits.ts';
import { route } from './route.ts';

/** `read`: shows the conversation as it was when the link was created. `join`: lets someone into a room. */
export const linkKinds = ['read', 'join'] as const;
export const linkAudiences = ['organization', 'anybody'] as const;

export const ChatLink = z.object({
  id: idOf('chatLink'),
  kind: z.enum(linkKinds),
  /** `organization`: members of the agent's organization who may see the agent. */
  audience: z.enum(linkAudiences),
  /** The end of the address: `/chat/<token>`. */
  token: z.string(),
  expiresAt: Timestamp.nullable(),
  createdAt: Timestamp,
});
export type ChatLink = z.infer<typeof ChatLink>;

/** `shr_…` and its proof. */
const Token = text(128, 1);

export const chatLink = {
  /** The valid ones, newest first. For rooms, only for the person who opened it. */
  list: route({
    method: 'GET',
    path: '/v1/chat/{id}/link',
    summary: 'The links of a conversation',
    access: 'user',
    input: z.strictObject({ id: idOf('conversation') }),
    output: z.object({ links: z.array(ChatLink) }),
  }),
  create: route({
    method: 'POST',
    path: '/v1/chat/{id}/link',
    summary: 'Share a conversation',
    access: 'user',
    input: z.strictObject({
      id: idOf('conversation'),
      kind: z.enum(linkKinds).default('read'),
      audience: z.enum(linkAudiences),
      /** Unset: until it is revoked. */
      days: z.number().int().min(1).max(CHAT_LINK_MAX_DAYS).optional(),
    }),
    output: z.object({ link: ChatLink }),
  }),
  revoke: route({
    method: 'DELETE',
    path: '/v1/chat/{id}/link/{linkId}',
    summary: 'End a link',
    access: 'user',
    input: z.strictObject({ id: idOf('conversation'), linkId: idOf('chatLink') }),
    output: z.object({ revoked: z.literal(true) }),
  }),
  /** What a `read` link shows: no people, ratings or other branches. 404 if the link isn't valid, or not for the caller. */
  open: route({
    method: 'GET',
    path: '/v1/shared/{token}',
    summary: 'Read a shared conversation',
    access: 'public',
    input: z.strictObject({ token: Token, cursor: page.cursor, count: page.count }),
    output: z.object({
      conversation: Conversation.omit({ own: true, unread: true, pinned: true, temporary: true }),
      messages: z.array(Message),
      nextCursor,
    }),
  }),
};

export const room = {
  /** Lets the caller into the room that a `join` link leads to; people already in it stay. Errors: 409 when it is full. */
  join: route({
    method: 'POST',
    path: '/v1/chat/game/join',
    summary: 'Join a room',
    access: 'user',
    input: z.strictObject({ token: Token }),
    output: z.object({ conversation: Conversation }),
  }),
  /** All of it, the same for everyone, no matter when they joined. */
  listMessages: route({
    method: 'GET',
    path: '/v1/chat/game/{id}/message',
    summary: 'The messages of a room',
    access: 'chat',
    input: z.strictObject({
      id: idOf('conversation'),
      cursor: page.cursor,
      count: page.count,
      orderBy: z.enum(['asc', 'desc']).default('asc'),
    }),
    output: z.object({ messages: z.array(Message), nextCursor }),
  }),
  /** Says something to everyone without asking the host; `chat.send` asks it. Errors: 429, for guests as for any message. */
  say: route({
    method: 'POST',
    path: '/v1/chat/game/{id}/say',
    summary: 'Write to a room',
    access: 'user',
    input: z.strictObject({ id: idOf('conversation'), text: words(2000) }),
    output: z.object({ message: Message }),
  }),
  people: route({
    method: 'GET',
    path: '/v1/chat/game/{id}/people',
    summary: 'Who is in a room',
    access: 'user',
    input: z.strictObject({ id: idOf('conversation') }),
    output: z.object({ people: z.array(Author), opener: idOf('user') }),
  }),
  leave: route({
    method: 'POST',
    path: '/v1/chat/game/{id}/leave',
    summary: 'Leave a room',
    access: 'user',
    input: z.strictObject({ id: idOf('conversation') }),
    output: z.object({ left: z.literal(true) }),
  }),
};
