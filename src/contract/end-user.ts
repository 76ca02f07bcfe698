import * as z from 'zod';
import { handlings, Message } from './chat.ts';
import { nextCursor, OrderBy, page, Search, text, Timestamp } from './common.ts';
import { sentiments } from './sentiments.ts';
import { idOf } from './id.ts';
import { InboxConversation } from './inbox.ts';
import { ESTIMATE_QUALITY_MAX, NAME_SEARCH_MAX_CHARACTERS } from './limits.ts';
import { pluginTypes } from './plugin-names.ts';
import { route } from './route.ts';

/** `guest`: nobody in particular. `user`: registered or signed in. `visitor`: came by a site, a program or a channel that speaks for them. */
export const endUserKinds = ['guest', 'user', 'visitor'] as const;

/** Somebody who has talked with an agent. */
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
  /** Of their own. */
  messages: z.number().int(),
  ratedUp: z.number().int(),
  ratedDown: z.number().int(),
  /** How often they wanted a person. */
  handovers: z.number().int(),
});
export type EndUserDetails = z.infer<typeof EndUserDetails>;

const ofAgent = z.strictObject({ id: idOf('agent') });

/** Who talks with an agent, and what is said. Temporary conversations, and those in which members try it, do not count. */
export const endUser = {
  /** Who was there last comes first. `search`: in names. */
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
  /** Ordered by what changed last. */
  listConversations: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/conversation',
    summary: "An agent's conversations",
    input: ofAgent.extend({
      cursor: page.cursor,
      count: page.count,
      orderBy: OrderBy.default('desc'),
      /** In titles, messages and the names of end users. */
      search: Search,
      /** Of one end user. */
      userId: idOf('user').optional(),
      channel: z.enum(pluginTypes).optional(),
      handling: z.enum(handlings).optional(),
      /** With at least one answer that was rated so. */
      rating: z.enum(['up', 'down']).optional(),
      /** By when it changed last. */
      from: Timestamp.optional(),
      to: Timestamp.optional(),
      /** With a question that is all of these: unanswered, */
      unanswered: z.enum(['true']).optional(),
      /** of whose words what the agent knows held less than this, 0 to 1, */
      confidenceBelow: z.coerce.number<number>().min(0).max(1).optional(),
      topicId: idOf('topic').optional(),
      /** In which the end user writes, ISO 639-1. Known half a minute after it was written. */
      language: z
        .string()
        .regex(/^[a-z]{2}$/)
        .optional(),
      /** In which what was bought of this product was used. */
      productId: idOf('product').optional(),
      /** As a model estimates it, */
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
