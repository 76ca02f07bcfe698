import type { Message } from '../../contract/chat.ts';
import { ApiError } from '../../contract/client.ts';
import { SOCKET_RECONNECT_MAX_MS, SOCKET_RECONNECT_MIN_MS } from '../../contract/limits.ts';
import type { ConversationAction } from './conversation-state.ts';
import type { ChatEvents, ChatTransport } from './types.ts';

interface Following {
  transport: ChatTransport;
  dispatch: (action: ConversationAction) => void;
  signal: AbortSignal;
  /** The current stream; without one it attaches to the answer in progress. */
  events?: ChatEvents;
}

/** Whether an agent may still be answering this last message of a conversation: people also talk to each other. */
export function isUnderWay(
  { role, state }: Pick<Message, 'role' | 'state'>,
  isAmongPeople: boolean,
): boolean {
  return state === 'pending' || state === 'streaming' || (role === 'user' && !isAmongPeople);
}

/**
 * Follows an answer to its end, reattaching whenever the connection is lost. If reattaching is refused, the answer
 * counts as unreadable.
 */
export async function followAnswer(following: Following): Promise<void> {
  const { dispatch, signal } = following;
  let { events } = following;
  dispatch({ type: 'activity', activity: events ? 'answering' : 'attaching' });
  for (let failures = 0; !signal.aborted;) {
    try {
      events ??= await following.transport.attach(signal);
      const finished = await pass(events, dispatch);
      if (!finished) await readStored(following);
      if (!signal.aborted) dispatch({ type: 'activity', activity: 'idle' });
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (isRefused(error)) return dispatch({ type: 'loading', loading: 'failed' });
      // Usually only the connection dropped and is back at once: not worth reporting.
      if (failures > 0) dispatch({ type: 'activity', activity: 'reconnecting' });
      events = undefined;
      await pause(failures, signal);
      failures += 1;
    }
  }
}

/** Retrying would be refused again; a 429 or a timeout only needs a wait. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![408, 429].includes(error.status)
  );
}

/** Passes the events on. False if the stream held no answer: it had finished before we attached. */
async function pass(events: ChatEvents, dispatch: Following['dispatch']): Promise<boolean> {
  let finished = false;
  for await (const event of events) {
    if (event.type === 'finish' || event.type === 'abort' || event.type === 'error') finished = true;
    dispatch({ type: 'event', event });
  }
  return finished;
}

async function readStored({ transport, dispatch, signal }: Following): Promise<void> {
  const page = await transport.load(undefined, signal);
  if (!signal.aborted) dispatch({ type: 'loaded', page });
}

/** No delay at first, longer with each failure; ends early when the network comes back. */
function pause(failures: number, signal: AbortSignal): Promise<void> {
  const delay =
    failures === 0 ? 0 : Math.min(SOCKET_RECONNECT_MIN_MS * 2 ** (failures - 1), SOCKET_RECONNECT_MAX_MS);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delay);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
