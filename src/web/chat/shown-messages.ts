import type { Message } from '../../contract/chat.ts';
import type { Handling } from '../../contract/handling.ts';
import type { MessagePage, Sending, ShownMessage } from './types.ts';
import type { Unsent } from './use-unsent.ts';

/** Operations on the list of messages on the page, each returning a new list. */

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

/** A person answers, or is about to. */
export function isWithPerson(handling: Handling | undefined): boolean {
  return handling === 'waiting' || handling === 'human';
}

/** Pages come newest first; people read oldest first. */
export function shown(page: MessagePage): ShownMessage[] {
  return page.messages.map(show).toReversed();
}

/** Appends a message being sent; one that is resent moves there again. */
export function outgoing(messages: Messages, sending: Sending): ShownMessage[] {
  return [...messages.filter(({ key }) => key !== sending.key), onItsWay(sending)];
}

/** Messages that had not arrived when the page was opened are at the end again, unless they turn out to have arrived. */
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

/** A stored message replaces its outgoing copy: matched by ID, or by text if that has none yet. */
export function put(messages: Messages, message: Message): ShownMessage[] {
  const byId = messages.findIndex(({ id }) => id === message.id);
  const bySending = message.role === 'user' ? placeOnItsWay(messages, message.text) : -1;
  const place = byId >= 0 ? byId : bySending;
  const old = messages[place];
  if (!old) return [...messages, show(message)];
  // A stream doesn't say who in a room asked.
  const author = message.author ?? old.author;
  const stored = messages.with(place, { ...show(message), key: old.key, author });
  // It had arrived although nobody was told: what was resent is the same message.
  const isTwice = byId >= 0 && bySending >= 0 && messages[bySending]?.text === message.text;
  return isTwice ? stored.toSpliced(bySending, 1) : stored;
}

/** The server may have changed a text when storing it; a failed message only matches identical text. */
function placeOnItsWay(messages: Messages, said: string): number {
  const same = messages.findIndex(({ id, text }) => id === null && text === said);
  return same >= 0 ? same : messages.findIndex(({ id, state }) => id === null && state === 'pending');
}

/** Messages not delivered, or not yet, survive a reload of the list, unless they turn out to have arrived. */
export function unsentOf(old: Messages, read: Messages): ShownMessage[] {
  const known = new Set(old.map(({ id }) => id));
  const arrived = new Set(read.filter(({ id }) => !known.has(id)).map(({ text }) => text));
  return old.filter(({ id, text }) => id === null && !arrived.has(text));
}

/**
 * Merges others' messages into the list. Everything shown is left alone, since it may be newer than what was loaded: an
 * answer grows meanwhile, and outgoing messages arrive.
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

/** A new branch begins after this message: what followed it is removed. */
export function cutAfter(messages: Messages, id: string): ShownMessage[] {
  return messages.slice(0, messages.findIndex((message) => message.id === id) + 1);
}

/** A new branch begins with this message: it is shown as outgoing with its new text, and is the last. */
export function replaceBranch(messages: Messages, id: string, text: string): ShownMessage[] {
  const place = messages.findIndex((message) => message.id === id);
  const old = messages[place];
  if (!old) return [...messages];
  return [...messages.slice(0, place), { ...old, id: null, text, state: 'pending', error: null }];
}

/** Messages already on the page, themselves or as another branch, keep their place. */
export function withKeysOf(old: Messages, messages: Messages): ShownMessage[] {
  const keys = new Map(old.map(({ id, key }) => [id, key]));
  return messages.map((message) => {
    const known = [message.id, ...message.siblings].find((id) => keys.has(id));
    return { ...message, key: (known && keys.get(known)) ?? message.key };
  });
}
