import { useReducer, useRef, type RefObject } from 'react';
import {
  emptyConversation,
  reduce,
  type ConversationAction,
  type ConversationState,
} from './conversation-state.ts';
import { followAnswer } from './follow-answer.ts';
import { personActs } from './person-acts.ts';
import { toolActs } from './tool-acts.ts';
import type { Again, ChatEvents, ChatTransport, Feedback, ShownMessage } from './types.ts';
import { isToBePaid, useSaying } from './use-saying.ts';
import { useStoredMessages } from './use-stored-messages.ts';
import { useUnsent } from './use-unsent.ts';

interface ConversationSetup {
  transport: ChatTransport;
  /** What a person reads when a call failed. */
  describeError: (error: unknown) => string;
  /** What could not be sent is kept under it. */
  draftKey?: string | undefined;
}

export type Chat = ReturnType<typeof useConversation>;

/** A conversation's messages and what can be done with it. The transport must stay the same object. */
export function useConversation({ transport, describeError, draftKey }: ConversationSetup) {
  const [state, dispatch] = useReducer(reduce, transport.begun, emptyConversation);
  const { leaving, reload, reread, outdate } = useStoredMessages(transport, state, dispatch);
  useUnsent(draftKey, state, dispatch);
  const { messages } = state;

  const { send, say, sayAgain, discard } = useSaying({ transport, describeError, dispatch, leaving });

  const again = async (ask: Again, begun: ConversationAction | undefined) => {
    const { signal } = leaving.current;
    await askAgain({ transport, dispatch, describeError, signal, ask, begun });
    // What stands beside it as other branches is known to the server alone.
    if (!signal.aborted && ask.type !== 'retry') await reread();
  };

  /** A message that did not arrive is sent as it was, under its key; an answer is asked for anew. */
  const retry = async (message: ShownMessage) => {
    if (message.state === 'unsent') return sayAgain(message);
    await again({ type: 'retry' }, keepingTo(questionOf(messages, message)));
  };
  const regenerate = async (message: ShownMessage) => {
    if (message.id === null) return;
    await again({ type: 'regenerate', messageId: message.id }, keepingTo(questionOf(messages, message)));
  };
  const edit = async ({ id }: ShownMessage, text: string) => {
    if (id !== null) await again({ type: 'edit', messageId: id, text }, { type: 'edited', id, text });
  };

  const problem = (error: unknown) => dispatch({ type: 'problem', text: describeError(error) });
  const tools = toolActs({ transport, again, refused: problem });

  const tried = (act: Promise<void>) => act.catch(problem);
  const choose = (messageId: string) => tried((transport.choose?.(messageId) ?? nothing).then(reread));
  const lastRating = useRef<Feedback>(null);
  /** What was read before the server had it may come in until then, and does not take it back. */
  const rate = (id: string, feedback: Feedback) => {
    const show = () => dispatch({ type: 'rated', id, rating: feedback.rating });
    lastRating.current = feedback;
    show();
    return tried(
      (transport.rate?.(id, feedback) ?? nothing).then(() => {
        outdate();
        if (lastRating.current === feedback) show();
      }),
    );
  };

  const showEarlier = useEarlier({ transport, earlier: state.earlier, dispatch, leaving, problem });

  const stop = () => transport.stop().catch(() => undefined);

  const people = personActs({ transport, dispatch, refused: problem });
  const dropRefused = () => dispatch({ type: 'refused', refused: null });

  const own = { send, say, discard, dropRefused, retry, regenerate, edit, choose, rate, stop };
  return { ...state, ...own, ...tools, ...people, reload, showEarlier };
}

const nothing = Promise.resolve();

interface EarlierSetup extends Pick<ConversationSetup, 'transport'>, Pick<ConversationState, 'earlier'> {
  dispatch: (action: ConversationAction) => void;
  leaving: RefObject<AbortController>;
  problem: (error: unknown) => void;
}

/** Asked for twice, a page is read and shown once. The function answers false when it could not be read. */
function useEarlier({ transport, earlier, dispatch, leaving, problem }: EarlierSetup) {
  const isReadingEarlier = useRef(false);
  return async () => {
    if (!earlier || isReadingEarlier.current) return true;
    const { signal } = leaving.current;
    isReadingEarlier.current = true;
    try {
      const page = await transport.load(earlier, signal);
      if (page && !signal.aborted) dispatch({ type: 'earlier', page });
      return true;
    } catch (error) {
      if (!signal.aborted) problem(error);
      return false;
    } finally {
      isReadingEarlier.current = false;
    }
  };
}

interface Asking extends Omit<ConversationSetup, 'draftKey'> {
  dispatch: (action: ConversationAction) => void;
  signal: AbortSignal;
  ask: Again;
  begun: ConversationAction | undefined;
}

/** The old branch leaves the page once the new one has begun; refused, everything stays as it is. */
async function askAgain({ transport, dispatch, describeError, signal, ask, begun }: Asking): Promise<void> {
  dispatch({ type: 'refused', refused: null });
  dispatch({ type: 'problem', text: null });
  dispatch({ type: 'activity', activity: 'answering' });
  let events: ChatEvents | undefined;
  try {
    events = await transport.again?.(ask, signal);
  } catch (error) {
    if (signal.aborted) return;
    dispatch({ type: 'activity', activity: 'idle' });
    const reason = describeError(error);
    dispatch(
      isToBePaid(transport, error)
        ? { type: 'refused', refused: { reason } }
        : { type: 'problem', text: reason },
    );
    return;
  }
  if (begun) dispatch(begun);
  await followAnswer({ transport, dispatch, signal, ...(events && { events }) });
}

function keepingTo(question: ShownMessage | undefined): ConversationAction | undefined {
  return question?.id ? { type: 'branched', lastKept: question.id } : undefined;
}

/** The person's message that an answer was for. */
function questionOf(messages: readonly ShownMessage[], message: ShownMessage): ShownMessage | undefined {
  const place = messages.findIndex(({ key }) => key === message.key);
  return messages.slice(0, place + 1).findLast(({ role }) => role === 'user');
}
