import type { chat as contract, ChatStreamEvent, Message } from '../../../contract/chat.ts';
import { PAGE_ADDRESS_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { organizationOf, type Agent } from '../../access/gate.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import { EventStream, type ChatCaller, type Handlers, type RequestContext } from '../../call.ts';
import { decodeCursor, encodeCursor, readPlaceInList, readSequenceIn } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { takeAttachments } from '../attachment/store.ts';
import { asDraft, findSettings } from '../version/store.ts';
import { chooseBranch, findAnswerUnderWay } from './answer-store.ts';
import type { Answering } from './answering.ts';
import { askIn, inConversationToAsk, ofConversation, openAgent, openOwn, requireTrial } from './asking.ts';
import { beginAgain, editMessage, findBegun, regenerateAnswer, retryAnswer, type Again } from './branches.ts';
import { takeConversation, takeMessage } from './limits.ts';
import { conversationOf, messageOf, messagePage, readBy } from './present.ts';
import { noteSeen } from './seen-store.ts';
import { askThen } from './speculation.ts';
import * as store from './store.ts';
import { titleFrom } from './title.ts';
import { beginAccount, finishAccount, type Connecting } from './tool-connect.ts';
import { submitForm, type Leads } from './tool-form.ts';
import { decideToolCall } from './tool-decision.ts';

interface Around {
  accounts: Connecting;
  leads: Leads;
  /** What to tell someone who waits for a person when nobody is there. */
  awayNotice: (tx: Tx, organizationId: string) => Promise<string | null>;
}

export function chatHandlers(
  deps: Deps,
  answering: Answering,
  { accounts, leads, awayNotice }: Around,
): Handlers<typeof contract> {
  const { config, countries, db } = deps;

  /** It counts as a new message, once per key. */
  const onceMore = async (id: string, caller: ChatCaller, context: RequestContext, again: Again) => {
    const turn = await inConversationToAsk(deps, caller, id, async (tx, { conversation, agent }) => {
      const { writeKey } = context;
      const begun = writeKey && (await findBegun(tx, conversation, writeKey, again));
      if (begun) return begun;
      await takeMessage(tx, caller, agent);
      return beginAgain(tx, conversation, writeKey, again);
    });
    return answering.answer(turn, caller, context);
  };

  return {
    list: async ({ cursor, count, ...which }, caller, { language }) => {
      const before = decodeCursor(cursor, readPlaceInList);
      const found = await db.in({ userId: caller.userId }, (tx) =>
        store.listOwnConversations(tx, caller.userId, { count: count + 1, before, ...which }),
      );
      const page = found.slice(0, count);
      const agents = await store.agentsOf(db, page);
      const last = found.length > count ? page.at(-1) : undefined;
      return {
        conversations: page.flatMap((conversation) => {
          const agent = agents.get(conversation.agentId);
          return agent && !agent.deletedAt
            ? [conversationOf(conversation, agent, caller.userId, language())]
            : [];
        }),
        nextCursor: last
          ? encodeCursor([last.pinnedAt ? 1 : 0, last.updatedAt.toISOString(), last.id])
          : null,
      };
    },

    get: async ({ id, seen }, caller, { language }) => {
      const { conversation, agent } = await db.in(ofConversation(id, caller), async (tx) => {
        const open = await openOwn(tx, id, caller);
        if (seen === 'true') await noteSeen(tx, open.conversation);
        return open;
      });
      return { conversation: conversationOf(conversation, agent, caller.userId, language()) };
    },

    create: async (
      { title, text, kind, temporary, version, dryRun, page, ...named },
      caller,
      { address, language, place },
    ) => {
      const chatbotId = named.chatbotId ?? onlyAgentOf(caller);
      const organizationId = await organizationOf(db, 'agent', chatbotId);
      // Its first message would be refused, wasting one of the few conversations a guest may start.
      deps.backlog.requireRoom(organizationId);
      // A program's location is where it runs.
      const isProgram = caller.kind === 'visitor' && caller.byKey;
      const country = isProgram ? null : await countries.of({ address, place });
      const made = await db.in({ organizationId }, async (tx) => {
        const live = await openAgent(tx, organizationId, chatbotId, caller);
        const agent = version === undefined ? live : await onTrial(tx, live, caller, version);
        const perHour = config.guestConversationsPerHour;
        await takeConversation(tx, caller, { organizationId, address, perHour });
        if (text !== undefined) await takeMessage(tx, caller, agent);
        const values = {
          organizationId,
          agentId: agent.id,
          userId: caller.userId,
          title: title ?? (text === undefined ? '' : titleFrom(text)),
          kind,
          temporary: temporary || version !== undefined,
          agentVersion: version === 'draft' ? 0 : (version ?? null),
          page: pageOf(page),
          country,
          dryRun: dryRun && version !== undefined,
        };
        const conversation = await store.insertConversation(tx, values);
        if (text === undefined) return { conversation, agent };
        const question = { text, attachments: [], authorId: authorOf(kind, caller), sendKey: null };
        const turn = await askIn(deps, tx, caller, conversation.id, question);
        return { conversation, agent, turn };
      });
      deps.backlog.belongs(made.conversation.id, organizationId);
      if (made.turn) answering.start(made.turn, caller);
      return { conversation: conversationOf(made.conversation, made.agent, caller.userId, language()) };
    },

    listMessages: async ({ id, cursor, count, orderBy, seen }, caller) => {
      const after = decodeCursor(cursor, readSequenceIn(orderBy));
      const { isNewToThem, key, answer } = await db.in(ofConversation(id, caller), async (tx) => {
        const { conversation } = await openOwn(tx, id, caller);
        const range = { count: count + 1, orderBy, after };
        const read = await store.listMessages(tx, conversation, caller.userId, range);
        const found = read.map((each) => readBy(caller.userId, conversation, each));
        const isNewest = orderBy === 'desc' && cursor === undefined;
        const readUpTo = isNewest ? conversation.lastSequence : 0;
        const isNewToThem = seen === 'true' && (await noteSeen(tx, conversation, readUpTo));
        const { handling, organizationId } = conversation;
        const notice = handling === 'waiting' ? await awayNotice(tx, organizationId) : null;
        const answer = { ...messagePage(found, { count, orderBy }), handling, notice };
        return { isNewToThem, key: { organizationId, id }, answer };
      });
      // It is no longer unread in their list of conversations.
      if (isNewToThem) answering.notify(key, [caller.userId]);
      return answer;
    },

    send: async ({ id, text, attachments: ids, page }, caller, context) => {
      const attachments =
        ids.length === 0
          ? []
          : await db.in(ofConversation(id, caller), async (tx) => {
              const { conversation } = await openOwn(tx, id, caller);
              return takeAttachments(tx, conversation, ids);
            });
      const question = {
        text,
        attachments,
        authorId: caller.userId,
        sendKey: context.writeKey ?? null,
        page: pageOf(page),
      };
      return askThen(deps, caller, id, question, async (begun) => {
        if (!('kept' in begun)) return answering.answer(begun, caller, context);
        const kept = answering.keep(begun, caller);
        return context.wantsStream ? new EventStream(onlyThis(kept.message)) : kept;
      });
    },

    retry: async ({ id }, caller, context) =>
      onceMore(id, caller, context, {
        begin: (tx, conversation) => retryAnswer(deps, tx, caller, conversation),
      }),

    regenerate: async ({ id, messageId }, caller, context) =>
      onceMore(id, caller, context, {
        messageId,
        begin: (tx, conversation) => regenerateAnswer(deps, tx, caller, conversation, messageId),
      }),

    edit: async ({ id, messageId, text }, caller, context) =>
      onceMore(id, caller, context, {
        messageId,
        text,
        begin: (tx, conversation) => editMessage(deps, tx, caller, conversation, messageId, text),
      }),

    decideToolCall: async ({ id, ...decision }, caller, context) =>
      answering.answer(await decideToolCall(deps, accounts, caller, id, decision), caller, context),

    connectAccount: async ({ id, ...which }, caller, { origin }) => ({
      url: await beginAccount(deps, accounts, caller, {
        conversationId: id,
        redirectUri: returnTo(origin),
        ...which,
      }),
    }),

    accountConnected: async ({ id, ...answer }, caller, context) => {
      const wanted = { conversationId: id, redirectUri: returnTo(context.origin), ...answer };
      return answering.answer(await finishAccount(deps, accounts, caller, wanted), caller, context);
    },

    submitForm: async ({ id, ...filled }, caller, context) =>
      answering.answer(await submitForm(deps, leads, caller, id, filled), caller, context),

    choose: async ({ id, messageId }, caller) => {
      await db.in(ofConversation(id, caller), async (tx) => {
        const { conversation } = await openOwn(tx, id, caller, { lock: true });
        if (conversation.answering) throw new AppError('chat/busy');
        if (conversation.kind === 'game' || !(await chooseBranch(tx, conversation, messageId)))
          throw notFound();
      });
      return { messageId };
    },

    attach: async ({ id }, caller, { wantsStream }) => {
      const { conversation, answer } = await db.in(ofConversation(id, caller), async (tx) => {
        const { conversation } = await openOwn(tx, id, caller);
        return { conversation, answer: await findAnswerUnderWay(tx, conversation) };
      });
      if (!wantsStream) return { answer: answer ? messageOf(answer) : null };
      const made = answer && answering.follow(conversation.organizationId, answer);
      const events = answering.find(id)?.follow() ?? made ?? nothing();
      return answering.streamTo(caller, id, conversation.kind, events);
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
}

/** Errors: 400 for callers who can chat with many agents. */
function onlyAgentOf(caller: ChatCaller): string {
  if (caller.kind === 'visitor') return caller.agentId;
  throw invalidField('chatbotId', 'Name an agent.');
}

/** The page where services send people back; it hands what they bring to the conversation that started it. */
function returnTo(origin: string): string {
  return `${origin}/connected`;
}

async function* nothing(): AsyncGenerator<never> {}

/** The stream for a message that a person is to answer. */
async function* onlyThis(data: Message): AsyncGenerator<ChatStreamEvent> {
  yield { type: 'data-message', data };
}

/** Query and fragment may contain private data. */
function pageOf(address: string | undefined): string | null {
  const url = address === undefined ? null : URL.parse(address);
  return url && (url.origin + url.pathname).slice(0, PAGE_ADDRESS_MAX_CHARACTERS);
}

/** The speaker matters only in a room. */
function authorOf(kind: store.StoredConversation['kind'], { userId }: ChatCaller): string | null {
  return kind === 'game' ? userId : null;
}

/** The agent with that version's settings, for a caller who may try it. */
async function onTrial(tx: Tx, live: Agent, caller: ChatCaller, version: number | 'draft'): Promise<Agent> {
  await requireTrial(tx, live, caller);
  const found = await findSettings(tx, live, version === 'draft' ? live.version : version);
  if (!found) throw notFound();
  return asDraft(live, found);
}
