import { chat, type ChatStreamEvent, type Conversation } from '../contract/chat.ts';
import { send, type CallOptions } from '../contract/client.ts';
import type { InputOf } from '../contract/route.ts';
import { api, clientOptions } from './api.ts';
import { readEvents } from './chat/sse.ts';
import type { ChatTransport } from './chat/types.ts';
import { failures } from './failures.ts';
import { logFailure } from './log.ts';
import { ensureSignedIn, sessionState } from './session.ts';
import { listen } from './socket.ts';

const STORED_PAGE_SIZE = 50;

interface TransportSetup {
  /** The conversation, or null where the first message is to start one with the agent. */
  conversationId: string | null;
  agentId: string;
  onCreated?: ((conversation: Conversation) => void) | undefined;
}

/** A conversation over the API. Whoever is not signed in becomes a guest with the first message. */
export function createChatTransport({ conversationId, agentId, onCreated }: TransportSetup): ChatTransport {
  let id = conversationId;

  /** Makes the conversation when the first message needs it. */
  const open = async (): Promise<string> => {
    if (id !== null) return id;
    await ensureSignedIn();
    const { conversation } = await api.chat.create({ chatbotId: agentId });
    id = conversation.id;
    onCreated?.(conversation);
    return id;
  };

  return {
    begun: conversationId !== null,
    async load(cursor, signal) {
      if (id === null) return null;
      try {
        return await api.chat.listMessages(
          { id, cursor, count: STORED_PAGE_SIZE, orderBy: 'desc' },
          { signal },
        );
      } catch (error) {
        if (!signal.aborted) logFailure(failures.getConversation, error);
        throw error;
      }
    },
    async send(text, signal) {
      return stream(chat.send, { id: await open(), text }, signal);
    },
    async attach(signal) {
      return id === null ? nothing() : stream(chat.attach, { id }, signal);
    },
    async stop() {
      if (id !== null) await api.chat.stop({ id });
    },
    watch(listener) {
      const isMine = (event: { conversationId: string }) => event.conversationId === id;
      if (sessionState.get().status !== 'signed-in') return ignore;
      return listen('conversation.updated', (event) => isMine(event) && listener(), ignore);
    },
  };
}

/** Rooms are not needed here: a person's own conversations are told to them without asking. */
const ignore = () => undefined;

type StreamedRoute = typeof chat.send | typeof chat.attach;

async function stream<R extends StreamedRoute>(route: R, input: InputOf<R> & object, signal: AbortSignal) {
  const call: CallOptions = { signal, headers: { accept: 'text/event-stream' } };
  return readEvents(await send(route, { ...input }, clientOptions, call));
}

async function* nothing(): AsyncGenerator<ChatStreamEvent> {
  // There is no conversation whose answer could be followed.
}
