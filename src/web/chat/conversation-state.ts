import type { ChatStreamEvent } from '../../contract/chat.ts';
import type { Handling } from '../../contract/handling.ts';
import {
  change,
  cutAfter,
  outgoing,
  put,
  replaceBranch,
  show,
  shown,
  unsentOf,
  withKeysOf,
  withNews,
  withUnsent,
} from './shown-messages.ts';
import type { MessagePage, Rating, Sending, ShownMessage } from './types.ts';
import type { Unsent } from './use-unsent.ts';

/**
 * The current activity: none, checking whether an answer is in progress, waiting for one or receiving it, or
 * reconnecting to it.
 */
export type Activity = 'idle' | 'attaching' | 'answering' | 'reconnecting';

export interface ConversationState {
  loading: 'loading' | 'ready' | 'failed';
  messages: ShownMessage[];
  earlier: string | null;
  activity: Activity;
  /** The answer in progress and what the current stream has delivered of it. A resumed stream starts over. */
  live: { id: string; text: string } | null;
  /** Who answers. */
  handling: Handling;
  /** What someone who waits for a person is told if nobody is available now. */
  notice: string | null;
  /** What was refused because it has to be paid for, and why. It is back in the composer. */
  refused: { message?: Sending; reason: string } | null;
  /** Why the last action on a message failed. */
  problem: string | null;
}

export type ConversationAction =
  | { type: 'loading'; loading: 'loading' | 'failed' }
  | { type: 'loaded'; page: MessagePage | null }
  | { type: 'earlier'; page: MessagePage }
  | { type: 'sent'; message: Sending }
  | { type: 'unsent'; key: string; error: string | null }
  | { type: 'refused'; refused: ConversationState['refused'] }
  | { type: 'event'; event: ChatStreamEvent }
  | { type: 'handling'; handling: Handling; notice?: string | null }
  | { type: 'problem'; text: string | null }
  | { type: 'activity'; activity: Activity }
  | MessagesAction;

/** Actions on the messages alone. */
type MessagesAction =
  | { type: 'said'; message: Sending }
  | { type: 'branched'; lastKept: string }
  | { type: 'edited'; id: string; text: string }
  /** Loaded while an answer is coming in. */
  | { type: 'news'; page: MessagePage }
  /** They had not arrived when the page was opened. */
  | { type: 'unsent-before'; messages: readonly Unsent[] }
  | { type: 'discarded'; key: string }
  | { type: 'rated'; id: string; rating: Rating | null };

/** The state before anything is known; a conversation that hasn't begun has nothing to load. */
export function emptyConversation(begun: boolean): ConversationState {
  return {
    loading: begun ? 'loading' : 'ready',
    messages: [],
    earlier: null,
    activity: 'idle',
    live: null,
    handling: 'bot',
    notice: null,
    refused: null,
    problem: null,
  };
}

export function reduce(state: ConversationState, action: ConversationAction): ConversationState {
  const { messages } = state;
  switch (action.type) {
    case 'loading':
      return action.loading === 'failed' ? unread(state) : { ...state, loading: action.loading };
    case 'loaded':
      return { ...state, ...stored(action.page, state), loading: 'ready', live: null };
    case 'earlier':
      return { ...state, earlier: action.page.nextCursor, messages: [...shown(action.page), ...messages] };
    case 'sent':
      return {
        ...state,
        activity: 'answering',
        refused: null,
        problem: null,
        messages: outgoing(messages, action.message),
      };
    case 'unsent':
      return {
        ...state,
        activity: state.live ? state.activity : 'idle',
        messages: change(messages, action.key, { state: 'unsent', error: action.error }),
      };
    case 'refused':
      return {
        ...state,
        activity: 'idle',
        refused: action.refused,
        messages: messages.filter(({ key }) => key !== action.refused?.message?.key),
      };
    case 'said':
    case 'branched':
    case 'edited':
      return { ...state, problem: null, messages: changeMessages(messages, action) };
    case 'news':
    case 'unsent-before':
    case 'discarded':
    case 'rated':
      return { ...state, messages: changeMessages(messages, action) };
    case 'handling':
      return { ...state, handling: action.handling, notice: action.notice ?? null, problem: null };
    case 'problem':
      return { ...state, problem: action.text };
    case 'activity':
      return { ...state, activity: action.activity, live: action.activity === 'idle' ? null : state.live };
    case 'event':
      return applyEvent(state, action.event);
  }
}

function changeMessages(messages: ShownMessage[], action: MessagesAction): ShownMessage[] {
  switch (action.type) {
    case 'said':
      return outgoing(messages, action.message);
    case 'branched':
      return cutAfter(messages, action.lastKept);
    case 'edited':
      return replaceBranch(messages, action.id, action.text);
    case 'news':
      return withNews(messages, shown(action.page));
    case 'unsent-before':
      return withUnsent(messages, action.messages);
    case 'discarded':
      return messages.filter(({ key }) => key !== action.key);
    case 'rated':
      return change(messages, keyOf(messages, action.id), { rating: action.rating });
  }
}

function applyEvent(state: ConversationState, event: ChatStreamEvent): ConversationState {
  switch (event.type) {
    case 'data-message':
      return { ...state, messages: put(state.messages, event.data) };
    case 'start':
      return begin(state, event.messageId);
    case 'data-citations':
      return changeLive(state, { citations: event.data });
    case 'data-tool-calls':
      return changeLive(state, { toolCalls: event.data });
    case 'text-delta':
      return append(state, event.delta);
    case 'error':
      return changeLive(state, { state: liveText(state) ? 'incomplete' : 'failed', error: event.errorText });
    case 'abort':
      return changeLive(state, { state: 'stopped' });
    case 'text-start':
    case 'text-end':
    case 'tool-input-available':
    case 'tool-approval-request':
    case 'tool-output-available':
    case 'tool-output-error':
    case 'tool-output-denied':
    case 'finish':
      return state;
  }
}

function begin(state: ConversationState, id: string): ConversationState {
  const known = state.messages.some((message) => message.id === id);
  const messages = known
    ? change(state.messages, keyOf(state.messages, id), { state: 'streaming', suggestions: [] })
    : [...state.messages, { ...blank, key: id, id }];
  return { ...state, messages, activity: 'answering', live: { id, text: '' } };
}

/** Nobody follows the incoming answers any longer. */
function unread(state: ConversationState): ConversationState {
  const isComing = ({ id, state }: ShownMessage) =>
    id !== null && (state === 'pending' || state === 'streaming');
  const messages = state.messages.map((message) =>
    isComing(message) ? { ...message, state: 'incomplete' as const } : message,
  );
  return { ...state, loading: 'failed', activity: 'idle', live: null, messages };
}

const blank: Omit<ShownMessage, 'key' | 'id'> = {
  role: 'assistant',
  text: '',
  state: 'streaming',
  citations: [],
  attachments: [],
  suggestions: [],
  toolCalls: [],
  author: null,
  siblings: [],
  rating: null,
  error: null,
};

/** While a resumed stream repeats what is already shown, the longer text stays, so that nothing jumps. */
function append(state: ConversationState, delta: string): ConversationState {
  if (!state.live) return state;
  const live = { ...state.live, text: state.live.text + delta };
  const grown = live.text.length > liveText(state).length ? live.text : liveText(state);
  return changeLive({ ...state, live }, { text: grown });
}

function liveText({ messages, live }: ConversationState): string {
  return messages.find(({ id }) => id === live?.id)?.text ?? '';
}

function changeLive(state: ConversationState, changes: Partial<ShownMessage>): ConversationState {
  if (!state.live) return state;
  return { ...state, messages: change(state.messages, keyOf(state.messages, state.live.id), changes) };
}

function keyOf(messages: readonly ShownMessage[], id: string): string {
  return messages.find((message) => message.id === id)?.key ?? '';
}

/** Reloaded messages keep their place on the page, and the earlier ones above them. */
function stored(
  page: MessagePage | null,
  old: ConversationState,
): Pick<ConversationState, 'messages' | 'earlier' | 'handling' | 'notice'> {
  const latest = page?.messages.map(show).toReversed() ?? [];
  const begins = old.messages.findIndex(({ id }) => id === latest[0]?.id);
  const above = old.messages.slice(0, Math.max(0, begins));
  return {
    messages: [...above, ...withKeysOf(old.messages, latest), ...unsentOf(old.messages, latest)],
    earlier: above.length > 0 ? old.earlier : (page?.nextCursor ?? null),
    handling: page?.handling ?? old.handling,
    notice: page?.notice ?? null,
  };
}
