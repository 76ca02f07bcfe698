import type { Handling, Message } from '../../contract/chat.ts';
import type { MessagePage, Sending, ShownMessage } from './types.ts';
import type { Unsent } from './use-unsent.ts';

/** The list of messages on the page: what happens to it, each as a new list. */

type Messages = readonly ShownMessage[];

export function show(message: Message): ShownMessage {
  const { id, role, text, state, citations, attachments, suggestions, toolCalls } = message;
  const { author, siblings, rating, error } = message;
  return {
    key: id,
    id,
    role,
    text,
    state,
    citations,
    attachments,
    suggestions,
    toolCalls,
    author,
    siblings,
    rating,
    error,
  };
}

/** A person answers, or is to. */
export function isWithPerson(handling: Handling | undefined): boolean {
  return handling === 'waiting' || handling === 'human';
}

/** Pages come newest first; people read oldest first. */
export function shown(page: MessagePage): ShownMessage[] {
  return page.messages.map(show).toReversed();
}

/** A message on its way, at the end; one that is sent again is on its way again. */
export function outgoing(messages: Messages, sending: Sending): ShownMessage[] {
  return [...messages.filter(({ key }) => key !== sending.key), onItsWay(sending)];
}

/** What did not arrive before the page was opened stands at the end again, unless it turns out to have arrived. */
export function withUnsent(messages: Messages, unsent: readonly Unsent[]): ShownMessage[] {
  const hasArrived = ({ text, after }: Unsent) =>
    messages
      .slice(messages.findIndex(({ id }) => id === after) + 1)
      .some((message) => message.role === 'user' && message.text === text);
  const missing = unsent.filter((each) => !hasArrived(each));
  return [...messages, ...missing.map((each): ShownMessage => ({ ...onItsWay(each), state: 'unsent' }))];
}

function onItsWay({ key, text, attachments, toAll }: Sending): ShownMessage {
  return {
    key,
    id: null,
    role: 'user',
    text,
    state: 'pending',
    citations: [],
    attachments,
    suggestions: [],
    toolCalls: [],
    author: null,
    siblings: [],
    rating: null,
    error: null,
    ...(toAll && { toAll }),
  };
}

/** A stored message takes the place of itself on its way: by its id, or by what it says where it has none yet. */
export function put(messages: Messages, message: Message): ShownMessage[] {
  const byId = messages.findIndex(({ id }) => id === message.id);
  const bySending = message.role === 'user' ? placeOnItsWay(messages, message.text) : -1;
  const place = byId >= 0 ? byId : bySending;
  const old = messages[place];
  if (!old) return [...messages, show(message)];
  // A stream does not say who of a room has asked.
  const author = message.author ?? old.author;
  const stored = messages.with(place, { ...show(message), key: old.key, author });
  // It had arrived although nobody was told: what was sent once more is the same message.
  const isTwice = byId >= 0 && bySending >= 0 && messages[bySending]?.text === message.text;
  return isTwice ? stored.toSpliced(bySending, 1) : stored;
}

/** The server may have changed a text as it stored it; what did not arrive is only ever taken for what says the same. */
function placeOnItsWay(messages: Messages, said: string): number {
  const same = messages.findIndex(({ id, text }) => id === null && text === said);
  return same >= 0 ? same : messages.findIndex(({ id, state }) => id === null && state === 'pending');
}

/** What did not arrive, or not yet, stays when the messages are read again, unless it turns out to have arrived. */
export function unsentOf(old: Messages, read: Messages): ShownMessage[] {
  const known = new Set(old.map(({ id }) => id));
  const arrived = new Set(read.filter(({ id }) => !known.has(id)).map(({ text }) => text));
  return old.filter(({ id, text }) => id === null && !arrived.has(text));
}

/**
 * What others have said takes its place among what is shown. All that is shown stays as it is, for it may be newer than what was
 * read: an answer grows meanwhile, and what was sent arrives.
 */
export function withNews(old: Messages, read: Messages): ShownMessage[] {
  const stored = old.filter(({ id }) => id !== null);
  const ids = new Set(read.map(({ id }) => id));
  const begins = stored.findIndex(({ id }) => ids.has(id));
  const above = begins < 0 ? stored : stored.slice(0, begins);
  const beside = stored.slice(above.length);
  const known = new Map(beside.map((message) => [message.id, message]));
  return [
    ...above,
    ...read.map((message) => known.get(message.id) ?? message),
    ...beside.filter(({ id }) => !ids.has(id)),
    ...unsentOf(old, read),
  ];
}

export function change(messages: Messages, key: string, changes: Partial<ShownMessage>): ShownMessage[] {
  return messages.map((message) => (message.key === key ? { ...message, ...changes } : message));
}

/** Another branch begins after this message: what stood there leaves the list. */
export function cutAfter(messages: Messages, id: string): ShownMessage[] {
  return messages.slice(0, messages.findIndex((message) => message.id === id) + 1);
}

/** Another branch begins with this message: it stands there on its way with its new text, and is the last. */
export function replaceBranch(messages: Messages, id: string, text: string): ShownMessage[] {
  const place = messages.findIndex((message) => message.id === id);
  const old = messages[place];
  if (!old) return [...messages];
  return [...messages.slice(0, place), { ...old, id: null, text, state: 'pending', error: null }];
}

/** What was on the page already, itself or as another branch, keeps its place there. */
export function withKeysOf(old: Messages, messages: Messages): ShownMessage[] {
  const keys = new Map(old.map(({ id, key }) => [id, key]));
  return messages.map((message) => {
    const known = [message.id, ...message.siblings].find((id) => keys.has(id));
    return { ...message, key: (known && keys.get(known)) ?? message.key };
  });
}
