import type { endUser as contract } from '../../../contract/end-user.ts';
import { inAgent } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import { decodeCursor, encodeCursor, inOrder, readMomentAndId, readSequenceIn } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import { findConversationOfAgent, listMessages, messagePage } from '../chat/store.ts';
import { findInInbox, listOfAgent } from '../inbox/store.ts';
import { catchUp } from '../insight/store.ts';
import * as store from './store.ts';

/** Who talks with an agent, for members who can see it. */
export function endUserHandlers({ db }: Pick<Deps, 'db'>): Handlers<typeof contract> {
  return {
    list: async ({ id: agentId, cursor, count, search }, caller) => {
      const before = decodeCursor(cursor, readMomentAndId);
      const key = await inAgent(db, caller, agentId, 'agent.read', async (tx, { organizationId }) => {
        await catchUp(tx, organizationId, [agentId]);
        return { organizationId, agentId };
      });
      const page = { count: count + 1, before, search };
      const found = await db.reading({ organizationId: key.organizationId }, (tx) =>
        store.listEndUsers(tx, key, page),
      );
      const users = found.slice(0, count);
      const last = found.length > count ? users.at(-1) : undefined;
      return { users, nextCursor: last ? encodeCursor([last.lastSeenAt, last.id]) : null };
    },

    get: async ({ id: agentId, userId }, caller) =>
      inAgent(db, caller, agentId, 'agent.read', async (tx, { organizationId }) => {
        await catchUp(tx, organizationId, [agentId]);
        const user = await store.findEndUser(tx, { organizationId, agentId }, userId);
        if (!user) throw notFound();
        return { user };
      }),

    listConversations: async ({ id: agentId, cursor, count, ...which }, caller) => {
      const after = decodeCursor(cursor, inOrder(which.orderBy, readMomentAndId));
      return inAgent(db, caller, agentId, 'agent.read', async (tx, { organizationId }) => {
        const key = { organizationId, agentId };
        // Someone who hasn't talked with this agent is a 404, not an empty list.
        if (which.userId) {
          await catchUp(tx, organizationId, [agentId]);
          if (!(await store.findEndUser(tx, key, which.userId))) throw notFound();
        }
        const found = await listOfAgent(tx, key, { ...which, count: count + 1, after });
        const page = found.slice(0, count);
        const last = found.length > count ? page.at(-1) : undefined;
        return {
          conversations: page,
          nextCursor: last ? encodeCursor([which.orderBy, last.updatedAt, last.id]) : null,
        };
      });
    },

    getConversation: async ({ id: agentId, conversationId, cursor, count, orderBy }, caller) => {
      const after = decodeCursor(cursor, readSequenceIn(orderBy));
      return inAgent(db, caller, agentId, 'agent.read', async (tx, { organizationId }) => {
        const open = await findConversationOfAgent(tx, conversationId);
        const isOfAgent = open?.agent.id === agentId && !open.conversation.temporary;
        const conversation = isOfAgent
          ? await findInInbox(tx, { organizationId, id: conversationId })
          : undefined;
        if (!open || !conversation) throw notFound();
        const range = { count: count + 1, orderBy, after };
        const found = await listMessages(tx, open.conversation, open.conversation.userId, range);
        return { conversation, ...messagePage(found, { count, orderBy }) };
      });
    },
  };
}
