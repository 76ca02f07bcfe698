import * as z from 'zod';
import { Message } from './chat.ts';
import { handlings } from './handling.ts';
import { nextCursor, OrderBy, page, Search, text, Timestamp } from './common.ts';
import { sentiments } from './sentiments.ts';
import { idOf } from './id.ts';
import { InboxConversation } from './inbox.ts';
import { ESTIMATE_QUALITY_MAX, NAME_SEARCH_MAX_CHARACTERS } from './limits.ts';
import { pluginTypes } from './plugin-names.ts';
import { route } from './route.ts';

/**
 * `guest`: anonymous. `user`: registered or signed in. `visitor`: came through a site, a program or a channel that
 * vouches for them.
 */
export const endUserKinds = ['guest', 'user', 'visitor'] as const;

/** Someone who has talked with an agent. */
export const EndUser = z.object({
  id: idOf('user'),
  name: z.string(),
  profilePhoto: z.string(),
  kind: z.enum(endUserKinds),
  conversations: z.number().int(),
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
});
export type EndUser = z.infer<typeof EndUser>;

export const EndUserDetails = EndUser.extend({
  /** Sent by them. */
  messages: z.number().int(),
  ratedUp: z.number().int(),
  ratedDown: z.number().int(),
  /** How often they asked for a person. */
  handovers: z.number().int(),
});
export type EndUserDetails = z.infer<typeof EndUserDetails>;

const ofAgent = z.strictObject({ id: idOf('agent') });

/** Who talks with an agent, and what is said. Temporary conversations and those in which members try the agent don't count. */
export const endUser = {
  /** Most recently active first. `search`: in names. */
  list: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/users',
    summary: "An agent's end users",
    input: ofAgent.extend({
      cursor: page.cursor,
      count: page.count,
      search: text(NAME_SEARCH_MAX_CHARACTERS).optional(),
    }),
    output: z.object({ users: z.array(EndUser), nextCursor }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/users/{userId}',
    summary: 'Read an end user of an agent',
    input: ofAgent.extend({ userId: idOf('user') }),
    output: z.object({ user: EndUserDetails }),
  }),
  /** Most recently changed first. */
  listConversations: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/conversation',
    summary: "An agent's conversations",
    input: ofAgent.extend({
      cursor: page.cursor,
      count: page.count,
      orderBy: OrderBy.default('desc'),
      /** In titles, messages and end users' names. */
      search: Search,
      /** Of one end user. */
      userId: idOf('user').optional(),
      channel: z.enum(pluginTypes).optional(),
      handling: z.enum(handlings).optional(),
      /** With at least one answer rated this way. */
      rating: z.enum(['up', 'down']).optional(),
      /** By the time of the last change. */
      from: Timestamp.optional(),
      to: Timestamp.optional(),
      /** With a question that meets all of these: unanswered, */
      unanswered: z.enum(['true']).optional(),
      /** whose words the agent's knowledge covered by less than this, 0 to 1, */
      confidenceBelow: z.coerce.number<number>().min(0).max(1).optional(),
      topicId: idOf('topic').optional(),
      /** The language the end user writes in, ISO 639-1. Known half a minute after the message was written. */
      language: z
        .string()
        .regex(/^[a-z]{2}$/)
        .optional(),
      /** In which a purchase of this product was used. */
      productId: idOf('product').optional(),
      /** As estimated by a model, */
      sentiment: z.enum(sentiments).optional(),
      /** and the quality of its answers. */
      qualityAtMost: z.coerce.number<number>().int().min(1).max(ESTIMATE_QUALITY_MAX).optional(),
    }),
    output: z.object({ conversations: z.array(InboxConversation), nextCursor }),
  }),
  getConversation: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/conversation/{conversationId}',
    summary: 'Read a conversation of an agent, with its messages',
    input: ofAgent.extend({
      conversationId: idOf('conversation'),
      cursor: page.cursor,
      count: page.count,
      orderBy: OrderBy.default('asc'),
    }),
    output: z.object({ conversation: InboxConversation, messages: z.array(Message), nextCursor }),
  }),
};
