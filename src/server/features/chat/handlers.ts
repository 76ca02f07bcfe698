import type { chat as contract } from '../../../contract/chat.ts';
import { mayChatWith, organizationOf, type Agent } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { Scope, Tx } from '../../db/scope.ts';
import { EventStream, type Handlers, type UserCaller } from '../../call.ts';
import { decodeCursor, encodeCursor, readMomentAndId, readSequence } from '../../cursor.ts';
import { busy, type Answering } from './answering.ts';
import { conversationOf, messageOf } from './present.ts';
import * as store from './store.ts';

export function chatHandlers({ db, runner }: Deps, answering: Answering): Handlers<typeof contract> {
  return {
    list: async ({ cursor, count }, caller) => {
      const before = decodeCursor(cursor, readMomentAndId);
      const found = await db.in({ userId: caller.userId }, (tx) =>
        store.listOwnConversations(tx, caller.userId, count + 1, before),
      );
      const page = found.slice(0, count);
      const agents = await agentsOf(page);
      const last = found.length > count ? page.at(-1) : undefined;
      return {
        conversations: page.flatMap((conversation) => {
          const agent = agents.get(conversation.agentId);
          return agent ? [conversationOf(conversation, agent)] : [];
        }),
        nextCursor: last ? encodeCursor([last.updatedAt.toISOString(), last.id]) : null,
      };
    },

    get: async ({ id }, caller) => {
      const { conversation, agent } = await db.in(ofConversation(id, caller), (tx) =>
        openOwn(tx, id, caller),
      );
      return { conversation: conversationOf(conversation, agent) };
    },

    create: async ({ chatbotId, title, text }, caller) => {
      const organizationId = await organizationOf(db, 'agent', chatbotId);
      const { conversation, agent, turn } = await db.in({ organizationId }, async (tx) => {
        const agent = await openAgent(tx, chatbotId, caller);
        const values = { organizationId, agentId: agent.id, userId: caller.userId, title: title ?? '' };
        const conversation = await store.insertConversation(tx, values);
        const turn =
          text === undefined ? undefined : await store.insertTurn(tx, conversation.id, text, runner.id);
        return { conversation, agent, turn };
      });
      if (turn) answering.start(agent, turn, caller.userId);
      return { conversation: conversationOf(conversation, agent) };
    },

    listMessages: async ({ id, cursor, count, orderBy }, caller) => {
      const after = decodeCursor(cursor, readSequence);
      const found = await db.in(ofConversation(id, caller), async (tx) => {
        await openOwn(tx, id, caller);
        return store.listMessages(tx, id, count + 1, orderBy, after);
      });
      const page = found.slice(0, count);
      const last = found.length > count ? page.at(-1) : undefined;
      return { messages: page.map(messageOf), nextCursor: last ? encodeCursor([last.sequence]) : null };
    },

    send: async ({ id, text }, caller, context) => {
      const { agent, turn } = await db.in(ofConversation(id, caller), async (tx) => {
        const { agent } = await openToAsk(tx, id, caller);
        return { agent, turn: await store.insertTurn(tx, id, text, runner.id) };
      });
      if (!turn) throw busy();
      return answering.answer(agent, turn, caller.userId, context);
    },

    retry: async ({ id }, caller, context) => {
      const { agent, turn } = await db.in(ofConversation(id, caller), async (tx) => {
        const { agent } = await openToAsk(tx, id, caller);
        return { agent, turn: await store.reopenTurn(tx, id, runner.id) };
      });
      if (!turn) throw busy();
      return answering.answer(agent, turn, caller.userId, context);
    },

    attach: async ({ id }, caller, { wantsStream }) => {
      const { conversation, answer } = await db.in(ofConversation(id, caller), async (tx) => {
        const { conversation } = await openOwn(tx, id, caller);
        return { conversation, answer: await store.findAnswerUnderWay(tx, id) };
      });
      if (!wantsStream) return { answer: answer ? messageOf(answer) : null };
      const live = answering.find(id);
      if (live) return new EventStream(live.follow());
      return new EventStream(
        answer ? answering.followElsewhere(conversation.organizationId, answer) : nothing(),
      );
    },

    stop: async ({ id }, caller) => {
      const stopped = await db.in(ofConversation(id, caller), async (tx) => {
        await openOwn(tx, id, caller);
        return store.requestStop(tx, id);
      });
      answering.find(id)?.abort.abort('stopped');
      return { stopped };
    },
  };

  /** The agents of several organizations, each read inside its own. */
  async function agentsOf(conversations: store.StoredConversation[]): Promise<Map<string, Agent>> {
    const byOrganization = Map.groupBy(conversations, ({ organizationId }) => organizationId);
    const read = [...byOrganization].map(([organizationId, own]) =>
      db.in({ organizationId }, (tx) =>
        store.findAgents(tx, [...new Set(own.map(({ agentId }) => agentId))]),
      ),
    );
    return new Map((await Promise.all(read)).flat().map((agent) => [agent.id, agent]));
  }
}

/** Of a conversation that does not exist nothing is found: a 404, as for somebody else's. */
function ofConversation(conversationId: string, { userId }: UserCaller): Scope {
  return { conversationId, userId };
}

async function* nothing(): AsyncGenerator<never> {}

async function openOwn(
  tx: Tx,
  id: string,
  caller: UserCaller,
  lock = false,
): Promise<store.OpenConversation> {
  const found = await store.findConversation(tx, id, caller.userId, lock);
  if (!found) throw notFound();
  return found;
}

/** Locked for a new turn, with an agent that may still be asked: it can have become private since. */
async function openToAsk(tx: Tx, id: string, caller: UserCaller): Promise<store.OpenConversation> {
  const found = await openOwn(tx, id, caller, true);
  if (!(await mayChatWith(tx, found.agent, caller))) throw notFound();
  return found;
}

/** Whoever may chat with the agent; to everybody else it does not exist. */
async function openAgent(tx: Tx, id: string, caller: UserCaller): Promise<Agent> {
  const [agent] = await store.findAgents(tx, [id]);
  if (!agent || agent.deletedAt || !(await mayChatWith(tx, agent, caller))) throw notFound();
  return agent;
}
