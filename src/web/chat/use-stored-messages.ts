import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { ConversationAction, ConversationState } from './conversation-state.ts';
import { isWithPerson } from './shown-messages.ts';
import { followAnswer, isUnderWay } from './follow-answer.ts';
import type { ChatTransport, MessagePage, ShownMessage } from './types.ts';

type Dispatch = (action: ConversationAction) => void;

/** Keeps the messages in sync with the server, from first render until the conversation is left. */
export function useStoredMessages(transport: ChatTransport, state: ConversationState, dispatch: Dispatch) {
  const { activity, loading, messages } = state;
  const shown = useRef(messages);
  useEffect(() => void (shown.current = messages), [messages]);
  const leaving = useRef(new AbortController());
  const isIdle = useRef(true);
  /** Something changed while an answer was coming in and isn't shown yet: everything is reloaded afterwards. */
  const isStale = useRef(false);
  const changes = useRef(0);
  /** A load in progress doesn't include it yet: it is repeated. */
  const outdate = () => (changes.current += 1);

  const refresh = useCallback(async () => {
    if (!isIdle.current) {
      isStale.current ||= transport.say !== undefined;
      return readNews(transport, dispatch, leaving.current.signal);
    }
    // A failure to load known missing content is not ignored.
    const onFailure = isStale.current ? () => dispatch(notLoaded) : keepShown;
    isStale.current = false;
    // A load must not overwrite anything sent or changed meanwhile.
    let begun: number, isShown: boolean;
    const isWanted = () => isIdle.current && begun === changes.current;
    do {
      begun = changes.current;
      isShown = await loadAndFollow(transport, shown, dispatch, leaving.current.signal, isWanted, onFailure);
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
    void loadAndFollow(transport, shown, dispatch, leaving.current.signal);
  }, [transport, dispatch]);

  useEffect(() => {
    leaving.current = new AbortController();
    if (transport.begun) void loadAndFollow(transport, shown, dispatch, leaving.current.signal);
    const news = inView(() => void refresh());
    const unwatch = transport.watch(news.tell);
    return () => {
      leaving.current.abort();
      unwatch();
      news.end();
    };
  }, [transport, dispatch, refresh]);

  return { leaving, reload, reread, outdate, firstLoaded: useFirstLoaded(loading) };
}

/** Resolves once the first load has ended, whether or not it succeeded. */
function useFirstLoaded(loading: ConversationState['loading']): Promise<void> {
  const [gate] = useState(createGate);
  useEffect(() => {
    if (loading !== 'loading') gate.open();
  }, [gate, loading]);
  return gate.opened;
}

function createGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

/**
 * Loading counts as the person having read it, so it waits until they look. A returning reader may have asked something
 * in another tab, which goes unannounced until the answer is complete: so it is checked each time.
 */
function inView(act: () => void) {
  const look = () => document.hidden || act();
  document.addEventListener('visibilitychange', look);
  return { tell: look, end: () => document.removeEventListener('visibilitychange', look) };
}

/** In a room, others' messages don't wait for the answer, and leave it alone. */
async function readNews(transport: ChatTransport, dispatch: Dispatch, signal: AbortSignal): Promise<void> {
  if (!transport.say) return;
  const page = await transport.load(undefined, signal).catch(() => null);
  if (page && !signal.aborted) dispatch({ type: 'news', page });
}

/** What is shown stays and can be answered; news is announced again. */
const keepShown = (): void => undefined;

const notLoaded: ConversationAction = { type: 'loading', loading: 'failed' };

const PAGES_BACK_MAX = 20;

/**
 * The latest messages, and those before them back to what is shown: a reader who chooses another branch stays where it
 * begins, however long it is.
 */
async function loadBack(
  transport: ChatTransport,
  shown: readonly ShownMessage[],
  signal: AbortSignal,
): Promise<MessagePage | null> {
  const ids = new Set(shown.flatMap(({ id }) => id ?? []));
  const isMet = ({ messages }: MessagePage) =>
    ids.size === 0 || messages.some(({ siblings }) => siblings.some((id) => ids.has(id)));
  let page = await transport.load(undefined, signal);
  for (let pages = 0; page?.nextCursor && !isMet(page) && pages < PAGES_BACK_MAX; pages += 1) {
    const before = await transport.load(page.nextCursor, signal);
    if (before) page = { ...before, messages: [...page.messages, ...before.messages] };
  }
  return page;
}

/** False if the result was no longer wanted. */
async function loadAndFollow(
  transport: ChatTransport,
  shown: RefObject<readonly ShownMessage[]>,
  dispatch: Dispatch,
  signal: AbortSignal,
  isWanted = () => true,
  onFailure = () => dispatch(notLoaded),
): Promise<boolean> {
  let page: MessagePage | null;
  try {
    page = await loadBack(transport, shown.current, signal);
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
