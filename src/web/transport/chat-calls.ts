import type { chat } from '../../contract/chat.ts';
import { send, type CallOptions, type Client, type ClientOptions } from '../../contract/client.ts';
import type { ParleyContract } from '../../contract/index.ts';
import type { InputOf } from '../../contract/route.ts';
import { calls } from '../api/calls.ts';
import { readEvents } from '../chat/sse.ts';
import type { ChatTransport } from '../chat/types.ts';

/** Shared by the two conversation transports: the page's (`chat-transport.ts`) and the widget's (`embed/transport.ts`). */

/** The number of messages per page. */
export const STORED_PAGE_SIZE = 50;

type StreamedCall =
  | 'send'
  | 'attach'
  | 'retry'
  | 'regenerate'
  | 'edit'
  | 'decideToolCall'
  | 'accountConnected'
  | 'submitForm';

/** Makes calls whose response is read as a stream. */
export function streamWith(options: ClientOptions) {
  return async <N extends StreamedCall>(
    name: N,
    input: InputOf<(typeof chat)[N]> & object,
    signal: AbortSignal,
    headers: Record<string, string> = {},
  ) => {
    const call: CallOptions = { signal, headers: { ...headers, accept: 'text/event-stream' } };
    return readEvents(await send(calls.chat[name], { ...input }, options, call));
  };
}

interface Place {
  client: Client<Pick<ParleyContract, 'chat' | 'answer' | 'attachment' | 'voice'>>;
  /** The conversation's ID; creates one if there is none. */
  open: () => Promise<string>;
  /** The ID, or null if there is none yet. */
  resume: () => Promise<string | null>;
  current: () => string | null;
}

type CommonCalls = Pick<ChatTransport, 'stop' | 'connect' | 'choose' | 'rate' | 'files' | 'voice'>;

export function commonCalls({ client, open, resume, current }: Place): CommonCalls {
  const { chat, answer, attachment, voice } = client;
  return {
    stop: async () => {
      const id = current();
      if (id !== null) await chat.stop({ id });
    },
    connect: async (messageId, callId) =>
      (await chat.connectAccount({ id: await open(), messageId, callId })).url,
    choose: async (messageId) => void (await chat.choose({ id: await open(), messageId })),
    rate: async (messageId, feedback) =>
      void (await answer.rate({ id: await open(), messageId, ...feedback })),
    files: {
      add: async (media, signal) =>
        (await attachment.add({ id: await open(), media }, { signal })).attachment,
      read: async (attachmentId) => {
        const id = await resume();
        return id === null ? null : (await attachment.content({ id, attachmentId })).data;
      },
    },
    voice: {
      abilities: () => voice.abilities(),
      transcribe: async (media) => (await voice.transcribe({ id: await open(), media })).text,
      speak: async (messageId) => (await voice.speak({ id: await open(), messageId })).audio,
    },
  };
}
