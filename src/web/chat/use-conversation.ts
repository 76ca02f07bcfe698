import { useReducer } from 'react';
import { ApiError } from '../../contract/client.ts';
import { emptyConversation, reduce, type ConversationAction } from './conversation-state.ts';
import { followAnswer } from './follow-answer.ts';
import type { Again, ChatEvents, ChatTransport, ShownMessage } from './types.ts';
import { isToBePaid, useSaying } from './use-saying.ts';
import { useStoredMessages } from './use-stored-messages.ts';
import { useUnsent } from './use-unsent.ts';

interface ConversationSetup {
  transport: ChatTransport;
  /** What a person reads when a call failed. */
  describeError: (error: unknown) => string;
  /** The key under which unsent messages are kept. */
  draftKey?: string | undefined;
}

export type Chat = ReturnType<typeof useConversation>;

/** A conversation's messages and the actions on them. The transport must stay the same object. */
export function useConversation({ transport, describeError, draftKey }: ConversationSetup) {
  const [state, dispatch] = useReducer(reduce, transport.begun, emptyConversation);
  const { leaving, reload, reread, outdate, firstLoaded } = useStoredMessages(transport, state, dispatch);
  useUnsent(draftKey, state, dispatch);
  const { messages } = state;

  const { send, say, sayAgain, discard } = useSaying({
    transport,
    describeError,
    dispatch,
    leaving,
    firstLoaded,
  });

  /** `onBegun` is called once it has been accepted, `onRefused` if not: whether the refusal is shown where it belongs. */
  const again = async (
    ask: Again,
    begun: ConversationAction | undefined,
    onBegun?: () => void,
    onRefused?: (error: unknown) => boolean,
  ) => {
    const { signal } = leaving.current;
    const act = () => {
      if (begun) dispatch(begun);
      onBegun?.();
    };
    const isReached = await askAgain({
      transport,
      dispatch,
      describeError,
      signal,
      ask,
      begun: act,
      onRefused,
    });
    // Only the server knows its other branches.
    if (isReached && !signal.aborted && ask.type !== 'retry') await reread();
  };

  /** An undelivered message is resent unchanged, with its key; an answer is requested anew. */
  const retry = async (message: ShownMessage) => {
    if (message.state === 'unsent') return sayAgain(message);
    await again({ type: 'retry' }, keepingTo(questionOf(messages, message)));
  };
  const regenerate = async (message: ShownMessage) => {
    if (message.id === null) return;
    await again({ type: 'regenerate', messageId: message.id }, keepingTo(questionOf(messages, message)));
  };

  const problem = (error: unknown) => dispatch({ type: 'problem', text: describeError(error) });

  const stop = () => transport.stop().catch(() => undefined);

  const dropRefused = () => dispatch({ type: 'refused', refused: null });

  const own = { send, say, discard, dropRefused, retry, regenerate, stop };
  // For actions on messages by code that is loaded with them.
  const means = { dispatch, again, leaving, outdate, reread, failed: problem };
  return { ...state, ...own, ...means, reload };
}

interface Asking extends Omit<ConversationSetup, 'draftKey'> {
  dispatch: (action: ConversationAction) => void;
  signal: AbortSignal;
  ask: Again;
  begun: () => void;
  onRefused: ((error: unknown) => boolean) | undefined;
}

/**
 * The old branch leaves the page once the new one has begun; on refusal everything stays as it is. False if the server
 * was not reached.
 */
async function askAgain({
  transport,
  dispatch,
  describeError,
  signal,
  ask,
  begun,
  onRefused,
}: Asking): Promise<boolean> {
  dispatch({ type: 'refused', refused: null });
  dispatch({ type: 'problem', text: null });
  dispatch({ type: 'activity', activity: 'answering' });
  let events: ChatEvents | undefined;
  try {
    events = await transport.again?.(ask, signal);
  } catch (error) {
    if (signal.aborted) return false;
    dispatch({ type: 'activity', activity: 'idle' });
    const reason = describeError(error);
    if (isToBePaid(transport, error)) dispatch({ type: 'refused', refused: { reason } });
    else if (!onRefused?.(error)) dispatch({ type: 'problem', text: reason });
    return !(error instanceof ApiError && error.status === 0);
  }
  begun();
  await followAnswer({ transport, dispatch, signal, ...(events && { events }) });
  return true;
}

function keepingTo(question: ShownMessage | undefined): ConversationAction | undefined {
  return question?.id ? { type: 'branched', lastKept: question.id } : undefined;
}

/** The person's message that an answer was for. */
function questionOf(messages: readonly ShownMessage[], message: ShownMessage): ShownMessage | undefined {
  const place = messages.findIndex(({ key }) => key === message.key);
  return messages.slice(0, place + 1).findLast(({ role }) => role === 'user');
}
