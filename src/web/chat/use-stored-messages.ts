import { useCallback, useEffect, useRef } from 'react';
import type { ConversationAction, ConversationState } from './conversation-state.ts';
import { isWithPerson } from './shown-messages.ts';
import { followAnswer, isUnderWay } from './follow-answer.ts';
import type { ChatTransport, MessagePage } from './types.ts';

type Dispatch = (action: ConversationAction) => void;

/** Keeps the messages as the server has them, from the first showing on, until the conversation is left. */
export function useStoredMessages(
  transport: ChatTransport,
  { activity, loading }: ConversationState,
  dispatch: Dispatch,
) {
  const leaving = useRef(new AbortController());
  const isIdle = useRef(true);
  /** While an answer was coming in something has changed that is not shown yet: all of it is read once more after that. */
  const isStale = useRef(false);
  const changes = useRef(0);
  /** What is just being read does not have it yet: it is read once more. */
  const outdate = () => (changes.current += 1);

  const refresh = useCallback(async () => {
    if (!isIdle.current) {
      isStale.current ||= transport.say !== undefined;
      return readNews(transport, dispatch, leaving.current.signal);
    }
    // What is known to be missing is not passed over when it cannot be read.
    const onFailure = isStale.current ? () => dispatch(notLoaded) : keepShown;
    isStale.current = false;
    // What is read must not take the place of something that has been sent or changed meanwhile.
    let begun: number, isShown: boolean;
    const isWanted = () => isIdle.current && begun === changes.current;
    do {
      begun = changes.current;
      isShown = await loadAndFollow(transport, dispatch, leaving.current.signal, isWanted, onFailure);
    } while (isIdle.current && (!isShown || begun !== changes.current));
    isStale.current ||= !isShown;
  }, [transport, dispatch]);

  useEffect(() => {
    isIdle.current = activity === 'idle' && loading === 'ready';
    if (isIdle.current && isStale.current) void refresh();
  }, [activity, loading, refresh]);

  /** Now, or as soon as no answer is coming in. */
  const reread = useCallback(async () => {
    isStale.current = true;
    if (isIdle.current) await refresh();
  }, [refresh]);
  const reload = useCallback(() => {
    dispatch({ type: 'loading', loading: 'loading' });
    void loadAndFollow(transport, dispatch, leaving.current.signal);
  }, [transport, dispatch]);

  useEffect(() => {
    leaving.current = new AbortController();
    if (transport.begun) void loadAndFollow(transport, dispatch, leaving.current.signal);
    const news = inView(() => void refresh());
    const unwatch = transport.watch(news.tell);
    return () => {
      leaving.current.abort();
      unwatch();
      news.end();
    };
  }, [transport, dispatch, refresh]);

  return { leaving, reload, reread, outdate };
}

/**
 * What is read counts as read by the person, so it waits until they look. Whoever comes back to a page may have asked on another
 * one, of which nothing is told before the answer is whole: it is looked at each time.
 */
function inView(act: () => void) {
  const look = () => document.hidden || act();
  document.addEventListener('visibilitychange', look);
  return { tell: look, end: () => document.removeEventListener('visibilitychange', look) };
}

/** In a room what others say does not wait for the answer, and leaves it alone. */
async function readNews(transport: ChatTransport, dispatch: Dispatch, signal: AbortSignal): Promise<void> {
  if (!transport.say) return;
  const page = await transport.load(undefined, signal).catch(() => null);
  if (page && !signal.aborted) dispatch({ type: 'news', page });
}

/** What is shown stays and can be answered; whoever tells of news tells of it again. */
const keepShown = (): void => undefined;

const notLoaded: ConversationAction = { type: 'loading', loading: 'failed' };

/** False when what was read was not wanted any more. */
async function loadAndFollow(
  transport: ChatTransport,
  dispatch: Dispatch,
  signal: AbortSignal,
  isWanted = () => true,
  onFailure = () => dispatch(notLoaded),
): Promise<boolean> {
  let page: MessagePage | null;
  try {
    page = await transport.load(undefined, signal);
  } catch {
    if (!signal.aborted) onFailure();
    return true;
  }
  if (signal.aborted) return true;
  if (!isWanted()) return false;
  dispatch({ type: 'loaded', page });
  const last = page?.messages[0];
  const isAmongPeople = transport.say !== undefined || isWithPerson(page?.handling);
  if (last && isUnderWay(last, isAmongPeople)) await followAnswer({ transport, dispatch, signal });
  return true;
}
