import type { chat as contract } from '../../../contract/chat.ts';
import { organizationOf, requireChat, type Agent } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { Scope, Tx } from '../../db/scope.ts';
import { EventStream, type Handlers, type ChatCaller } from '../../call.ts';
import { decodeCursor, encodeCursor, readMomentAndId, readSequence } from '../../cursor.ts';
import { busy, type Answering } from './answering.ts';
import { takeConversation, takeMessage } from './limits.ts';
import { conversationOf, messageOf } from './present.ts';
import * as store from './store.ts';

export function chatHandlers({ config, db, runner }: Deps, answering: Answering): Handlers<typeof contract> {
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

    create: async ({ chatbotId, title, text }, caller, { address }) => {
      const organizationId = await organizationOf(db, 'agent', chatbotId);
      const { conversation, agent, turn } = await db.in({ organizationId }, async (tx) => {
        const agent = await openAgent(tx, organizationId, chatbotId, caller);
        const perHour = config.guestConversationsPerHour;
        await takeConversation(tx, caller, { organizationId, address, perHour });
        if (text !== undefined) await takeMessage(tx, caller);
        const values = { organizationId, agentId: agent.id, userId: caller.userId, title: title ?? '' };
        const conversation = await store.insertConversation(tx, values);
        const turn =
          text === undefined ? undefined : await store.insertTurn(tx, conversation, text, runner.id);
        return { conversation, agent, turn };
      });
      if (turn) answering.start(agent, turn, caller.userId);
      return { conversation: conversationOf(conversation, agent) };
    },

    listMessages: async ({ id, cursor, count, orderBy }, caller) => {
      const after = decodeCursor(cursor, readSequence);
      const found = await db.in(ofConversation(id, caller), async (tx) => {
        const { conversation } = await openOwn(tx, id, caller);
        return store.listMessages(tx, conversation, count + 1, orderBy, after);
      });
      const page = found.slice(0, count);
      const last = found.length > count ? page.at(-1) : undefined;
      return { messages: page.map(messageOf), nextCursor: last ? encodeCursor([last.sequence]) : null };
    },

    send: async ({ id, text }, caller, context) => {
      const { agent, turn } = await db.in(ofConversation(id, caller), async (tx) => {
        const { agent, conversation } = await openToAsk(tx, id, caller);
        return { agent, turn: requireTurn(await store.insertTurn(tx, conversation, text, runner.id)) };
      });
      return answering.answer(agent, turn, caller.userId, context);
    },

    retry: async ({ id }, caller, context) => {
      const { agent, turn } = await db.in(ofConversation(id, caller), async (tx) => {
        const { agent, conversation } = await openToAsk(tx, id, caller);
        return { agent, turn: requireTurn(await store.reopenTurn(tx, conversation, runner.id)) };
      });
      return answering.answer(agent, turn, caller.userId, context);
    },

    attach: async ({ id }, caller, { wantsStream }) => {
      const { conversation, answer } = await db.in(ofConversation(id, caller), async (tx) => {
        const { conversation } = await openOwn(tx, id, caller);
        return { conversation, answer: await store.findAnswerUnderWay(tx, conversation) };
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
        const { conversation } = await openOwn(tx, id, caller);
        return store.requestStop(tx, conversation);
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
        store.findAgents(tx, organizationId, [...new Set(own.map(({ agentId }) => agentId))]),
      ),
    );
    return new Map((await Promise.all(read)).flat().map((agent) => [agent.id, agent]));
  }
}

/** Of a conversation that does not exist nothing is found: a 404, as for somebody else's. */
function ofConversation(conversationId: string, { userId }: ChatCaller): Scope {
  return { conversationId, userId };
}

/** In the transaction: a message that was refused was not taken from what a visitor may send. */
function requireTurn(turn: store.Turn | undefined): store.Turn {
  if (!turn) throw busy();
  return turn;
}

async function* nothing(): AsyncGenerator<never> {}

async function openOwn(
  tx: Tx,
  id: string,
  caller: ChatCaller,
  lock = false,
): Promise<store.OpenConversation> {
  const found = await store.findConversation(tx, id, caller.userId, lock);
  if (!found) throw notFound();
  return found;
}

/** Locked for a new turn, with an agent that may still be asked: it can have become private since. */
async function openToAsk(tx: Tx, id: string, caller: ChatCaller): Promise<store.OpenConversation> {
  const found = await openOwn(tx, id, caller, true);
  await requireChat(tx, found.agent, caller);
  await takeMessage(tx, caller);
  return found;
}

/** Whoever may chat with the agent; to everybody else it does not exist. */
async function openAgent(tx: Tx, organizationId: string, id: string, caller: ChatCaller): Promise<Agent> {
  const [agent] = await store.findAgents(tx, organizationId, [id]);
  if (!agent || agent.deletedAt) throw notFound();
  await requireChat(tx, agent, caller);
  return agent;
}
