import type { ChatStreamEvent, Conversation } from '../../contract/chat.ts';
import { api, clientOptions } from '../api/api.ts';
import { commonCalls, STORED_PAGE_SIZE, streamWith } from './chat-calls.ts';
import type { ChatTransport, PersonTransport } from '../chat/types.ts';
import { createOpener } from './conversation-opener.ts';
import { logFailure } from '../log.ts';
import { ensureSignedIn, sessionState } from '../session/session.ts';
import { listen } from '../socket.ts';
import { whenOnline } from '../ui/when-online.ts';

const stream = streamWith(clientOptions);

export interface TransportSetup {
  /** The conversation, or null if the first message is to start one with the agent. */
  conversationId: string | null;
  agentId: string;
  /** A room is shared by several people. */
  isRoom?: boolean;
  /** Whether a new conversation is kept out of the list. */
  isTemporary?: (() => boolean) | undefined;
  /** The version of the agent that members try; unset: the live one. */
  version?: number | 'draft' | undefined;
  /** For a version being tried: whether its tools only read. Unset: they do. */
  dryRun?: boolean | undefined;
  /** The reader may see how answers were made. */
  canSeeReceipts?: boolean;
  /** Unset: a person can't be requested. */
  canAskPerson?: (() => boolean) | undefined;
  /** Called with the conversation that the first message begins. */
  onCreated?: ((conversation: Conversation) => void) | undefined;
}

/** Returns the conversation's ID, creating it if there is none. */
type Open = () => Promise<string>;

/** A conversation over the API. A person who isn't signed in becomes a guest with the first message. */
export function createChatTransport(setup: TransportSetup): ChatTransport {
  const { open, begin, resume, current } = openerFor(setup);
  const person = personFor(begin);
  return {
    begun: setup.conversationId !== null,
    load: async (cursor, signal) => {
      const id = current();
      return id === null ? null : load(id, cursor, signal, setup.isRoom);
    },
    async send({ key, text, attachments }, signal) {
      const input = { id: await begin(), text, attachments: attachments.map((each) => each.id) };
      return stream('send', input, signal, { 'idempotency-key': key });
    },
    async attach(signal) {
      const id = current();
      return id === null ? nothing() : stream('attach', { id }, signal);
    },
    watch: watchFor(current),
    async again(ask, signal) {
      const { type, ...what } = ask;
      return stream(type, { id: await open(), ...what }, signal);
    },
    shop: () => shop(setup.agentId, current()),
    get person() {
      return setup.canAskPerson?.() ? person : undefined;
    },
    ...commonCalls({ client: api, open, resume, current }),
    ...(setup.canSeeReceipts && {
      receipt: async (messageId: string) =>
        (await api.answer.receipt({ id: await open(), messageId })).receipt,
    }),
    ...(setup.isRoom && {
      say: async (text: string) => (await api.room.say({ id: await open(), text })).message,
    }),
  };
}

function openerFor({ conversationId, agentId, version, dryRun, isTemporary, onCreated }: TransportSetup) {
  return createOpener<Conversation>({
    conversationId,
    keptAs: `${agentId} ${version ?? ''}`,
    ready: ensureSignedIn,
    make: async (temporary) =>
      (await api.chat.create({ chatbotId: agentId, temporary, version, dryRun })).conversation,
    read: async (id) => (await api.chat.get({ id })).conversation,
    keep: async (id) => (await api.history.update({ id, temporary: false })).conversation,
    isTemporary: () => version !== undefined || (isTemporary?.() ?? false),
    onBegun: (conversation) => onCreated?.(conversation),
  });
}

function watchFor(current: () => string | null): ChatTransport['watch'] {
  return (listener) =>
    whileSignedIn(() => {
      const onNews = ({ conversationId }: { conversationId: string }) =>
        conversationId === current() && listener();
      const stops = [
        listen('conversation.asked', onNews, () => undefined),
        listen('conversation.updated', onNews, again(listener)),
      ];
      return () => stops.forEach((stop) => stop());
    });
}

function personFor(open: Open): PersonTransport {
  return {
    ask: async () => api.handover.ask({ id: await open() }),
    goOn: async () => (await api.handover.cancel({ id: await open() })).handling,
  };
}

/** Buying; the code is loaded when something first has to be paid for. */
async function shop(agentId: string, conversationId: string | null) {
  const { openShop } = await whenOnline(() => import('./shop.ts'));
  return openShop({ purchase: api.purchase, agentId, conversationId, leaves: true });
}

async function load(id: string, cursor: string | undefined, signal: AbortSignal, isRoom = false) {
  const read = isRoom ? api.room.listMessages : api.chat.listMessages;
  try {
    return await read({ id, cursor, count: STORED_PAGE_SIZE, orderBy: 'desc' }, { signal });
  } catch (error) {
    if (!signal.aborted) logFailure('getConversation', error);
    throw error;
  }
}

/** Starts as soon as somebody is signed in, which happens with the first message at the latest. */
function whileSignedIn(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  const look = () => {
    if (sessionState.get().status === 'signed-in') end ??= begin();
  };
  const unsubscribe = sessionState.subscribe(look);
  look();
  return () => {
    unsubscribe();
    end?.();
  };
}

/** What others wrote while disconnected wasn't reported: it is loaded on reconnecting, not on the first connection. */
function again(listener: () => void): () => void {
  let hasConnected = false;
  return () => {
    if (hasConnected) listener();
    hasConnected = true;
  };
}

async function* nothing(): AsyncGenerator<ChatStreamEvent> {
  // There is no conversation whose answer could be followed.
}
