import { useCallback, useEffect, useReducer, useRef } from 'react';
import {
  emptyConversation,
  reduce,
  type ConversationAction,
  type ConversationState,
} from './conversation-state.ts';
import { followAnswer, isUnderWay } from './follow-answer.ts';
import type { ChatTransport, MessagePage, ShownMessage } from './types.ts';

interface ConversationSetup {
  transport: ChatTransport;
  /** What a person reads when a call failed. */
  describeError: (error: unknown) => string;
}

let lastKey = 0;

/** A conversation's messages and what can be done with it. The transport must stay the same object. */
export function useConversation({ transport, describeError }: ConversationSetup) {
  const [state, dispatch] = useReducer(reduce, transport.begun, emptyConversation);
  const { leaving, reload } = useStoredMessages(transport, state, dispatch);

  const send = async (text: string) => {
    const { signal } = leaving.current;
    lastKey += 1;
    const key = `sent-${lastKey}`;
    dispatch({ type: 'sent', key, text });
    try {
      const events = await transport.send(text, signal);
      await followAnswer({ transport, dispatch, signal, events });
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'unsent', key, error: describeError(error) });
    }
  };

  /** Asks again. A message that did not arrive is looked for first: its answer may have been lost, not the message. */
  const retry = async (message: ShownMessage) => {
    const question = questionOf(state.messages, message);
    if (!question) return;
    if (question.id !== null) return send(question.text);
    const page = await transport.load(undefined, leaving.current.signal).catch(() => undefined);
    if (page === undefined) return;
    dispatch({ type: 'dropped', key: question.key });
    const last = page?.messages.find(({ role }) => role === 'user');
    const isNew = last && !state.messages.some(({ id }) => id === last.id);
    if (isNew && last.text === question.text) return reload();
    return send(question.text);
  };

  const showEarlier = async () => {
    if (!state.earlier) return;
    const page = await transport.load(state.earlier, leaving.current.signal).catch(() => null);
    if (page) dispatch({ type: 'earlier', page });
  };

  const stop = () => transport.stop().catch(() => undefined);

  return { ...state, send, retry, stop, reload, showEarlier };
}

/** Keeps the messages as the server has them, from the first showing on, until the conversation is left. */
function useStoredMessages(
  transport: ChatTransport,
  { activity, loading }: ConversationState,
  dispatch: (action: ConversationAction) => void,
) {
  const leaving = useRef(new AbortController());
  const isIdle = useRef(true);
  useEffect(() => {
    isIdle.current = activity === 'idle' && loading === 'ready';
  }, [activity, loading]);

  const reload = useCallback(async () => {
    dispatch({ type: 'load' });
    await loadAndFollow(transport, dispatch, leaving.current.signal);
  }, [transport, dispatch]);

  useEffect(() => {
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    if (transport.begun) void loadAndFollow(transport, dispatch, signal);
    const unwatch = transport.watch(() => {
      // What is read must not take the place of something that has been sent meanwhile.
      void loadAndFollow(transport, dispatch, signal, () => isIdle.current);
    });
    return () => {
      leaving.current.abort();
      unwatch();
    };
  }, [transport, dispatch]);

  return { leaving, reload };
}

async function loadAndFollow(
  transport: ChatTransport,
  dispatch: (action: ConversationAction) => void,
  signal: AbortSignal,
  isWanted = () => true,
): Promise<void> {
  if (!isWanted()) return;
  let page: MessagePage | null;
  try {
    page = await transport.load(undefined, signal);
  } catch {
    if (!signal.aborted) dispatch({ type: 'load-failed' });
    return;
  }
  if (signal.aborted || !isWanted()) return;
  dispatch({ type: 'loaded', page });
  const last = page?.messages[0];
  if (last && isUnderWay(last)) await followAnswer({ transport, dispatch, signal });
}

/** The person's message that an answer was for; the message itself when it is theirs. */
function questionOf(messages: ShownMessage[], message: ShownMessage): ShownMessage | undefined {
  const place = messages.findIndex(({ key }) => key === message.key);
  return messages.slice(0, place + 1).findLast(({ role }) => role === 'user');
}
