import type { ChatStreamEvent, Message } from '../../contract/chat.ts';
import type { MessagePage, ShownMessage } from './types.ts';

/** What is going on: nothing, an answer is waited for or coming in, or the connection to it is being restored. */
export type Activity = 'idle' | 'answering' | 'reconnecting';

export interface ConversationState {
  loading: 'loading' | 'ready' | 'failed';
  messages: ShownMessage[];
  earlier: string | null;
  activity: Activity;
  /** The answer under way and what the stream at hand has given of it. A stream that is picked up again starts over. */
  live: { id: string; text: string } | null;
}

export type ConversationAction =
  | { type: 'load' }
  | { type: 'load-failed' }
  | { type: 'loaded'; page: MessagePage | null }
  | { type: 'earlier'; page: MessagePage }
  | { type: 'sent'; key: string; text: string }
  | { type: 'unsent'; key: string; error: string | null }
  | { type: 'dropped'; key: string }
  | { type: 'event'; event: ChatStreamEvent }
  | { type: 'activity'; activity: Activity };

/** Before anything is known of it; a conversation that is not begun yet has nothing to be read. */
export function emptyConversation(begun: boolean): ConversationState {
  return { loading: begun ? 'loading' : 'ready', messages: [], earlier: null, activity: 'idle', live: null };
}

export function reduce(state: ConversationState, action: ConversationAction): ConversationState {
  switch (action.type) {
    case 'load':
      return { ...state, loading: 'loading' };
    case 'load-failed':
      return { ...state, loading: 'failed' };
    case 'loaded':
      return { ...state, ...stored(action.page, state), loading: 'ready', live: null };
    case 'earlier':
      return {
        ...state,
        earlier: action.page.nextCursor,
        messages: [...shown(action.page), ...state.messages],
      };
    case 'sent':
      return { ...state, activity: 'answering', messages: [...state.messages, outgoing(action)] };
    case 'unsent':
      return {
        ...state,
        activity: 'idle',
        messages: change(state.messages, action.key, { state: 'unsent', error: action.error }),
      };
    case 'dropped':
      return { ...state, messages: state.messages.filter(({ key }) => key !== action.key) };
    case 'activity':
      return { ...state, activity: action.activity, live: action.activity === 'idle' ? null : state.live };
    case 'event':
      return applyEvent(state, action.event);
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
    case 'text-delta':
      return append(state, event.delta);
    case 'error':
      return changeLive(state, { state: liveText(state) ? 'incomplete' : 'failed', error: event.errorText });
    case 'abort':
      return changeLive(state, { state: 'stopped' });
    case 'text-start':
    case 'text-end':
    case 'finish':
      return state;
  }
}

function begin(state: ConversationState, id: string): ConversationState {
  const known = state.messages.some((message) => message.id === id);
  const messages = known
    ? state.messages.map((message) =>
        message.id === id ? { ...message, state: 'streaming' as const } : message,
      )
    : [...state.messages, { ...blank, key: id, id }];
  return { ...state, messages, activity: 'answering', live: { id, text: '' } };
}

const blank = {
  role: 'assistant',
  text: '',
  state: 'streaming',
  citations: [],
  error: null,
} as const satisfies Omit<ShownMessage, 'key' | 'id' | 'citations'> & { citations: [] };

/** While a stream that is picked up again repeats what is shown already, the longer text stays: nothing jumps. */
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
  const { id } = state.live;
  const messages = state.messages.map((message) =>
    message.id === id ? { ...message, ...changes } : message,
  );
  return { ...state, messages };
}

/** A stored message takes the place of itself on its way: by its id, or as the first sent one that has none yet. */
function put(messages: ShownMessage[], message: Message): ShownMessage[] {
  const byId = messages.findIndex(({ id }) => id === message.id);
  const bySending = message.role === 'user' ? messages.findIndex(({ id }) => id === null) : -1;
  const place = byId >= 0 ? byId : bySending;
  const old = messages[place];
  if (!old) return [...messages, show(message)];
  return messages.with(place, { ...show(message), key: old.key });
}

function change(messages: ShownMessage[], key: string, changes: Partial<ShownMessage>): ShownMessage[] {
  return messages.map((message) => (message.key === key ? { ...message, ...changes } : message));
}

function outgoing({ key, text }: { key: string; text: string }): ShownMessage {
  return { key, id: null, role: 'user', text, state: 'pending', citations: [], error: null };
}

/** What is read again keeps its place on the page, and the earlier messages above it. */
function stored(
  page: MessagePage | null,
  old: ConversationState,
): Pick<ConversationState, 'messages' | 'earlier'> {
  const keys = new Map(old.messages.map(({ id, key }) => [id, key]));
  const latest = page ? shown(page) : [];
  const above = old.messages.slice(
    0,
    Math.max(
      0,
      old.messages.findIndex(({ id }) => id === latest[0]?.id),
    ),
  );
  return {
    messages: [
      ...above,
      ...latest.map((message) => ({ ...message, key: keys.get(message.id) ?? message.key })),
    ],
    earlier: above.length > 0 ? old.earlier : (page?.nextCursor ?? null),
  };
}

/** Pages come newest first; people read oldest first. */
function shown(page: MessagePage): ShownMessage[] {
  return page.messages.map(show).toReversed();
}

function show(message: Message): ShownMessage {
  const { id, role, text, state, citations, error } = message;
  return { key: id, id, role, text, state, citations, error };
}
