import { describe, expect, test } from 'vitest';
import type { ChatStreamEvent, Message } from '../../contract/chat.ts';
import { emptyConversation, reduce, type ConversationState } from './conversation-state.ts';

const message: Message = {
  id: 'msg_1',
  conversationId: 'cnv_1',
  role: 'user',
  text: 'When?',
  state: 'complete',
  citations: [],
  attachments: [],
  suggestions: [],
  toolCalls: [],
  author: null,
  parentId: null,
  siblings: ['msg_1'],
  rating: null,
  error: null,
  sequence: 1,
  createdAt: '2026-01-01T00:00:00Z',
};
const answer: Message = {
  ...message,
  id: 'msg_2',
  role: 'assistant',
  text: 'At nine.',
  parentId: 'msg_1',
  siblings: ['msg_2'],
  sequence: 2,
};

function play(state: ConversationState, ...events: ChatStreamEvent[]): ConversationState {
  return events.reduce((before, event) => reduce(before, { type: 'event', event }), state);
}

const sent = reduce(emptyConversation(true), {
  type: 'sent',
  message: { key: 'sent-1', text: 'When?', attachments: [] },
});
const delta = (text: string) => ({ type: 'text-delta', id: '0', delta: text }) as const;

describe('a conversation', () => {
  test('keeps a message in place when it changes from sent to stored', () => {
    const { messages } = play(sent, { type: 'data-message', data: message });
    expect(messages).toMatchObject([{ key: 'sent-1', id: 'msg_1', state: 'complete' }]);
  });

  test('extends its answer and ends with the stored one', () => {
    const streaming = play(sent, { type: 'start', messageId: 'msg_2' }, delta('At '), delta('ni'));
    expect(streaming.messages.at(-1)).toMatchObject({ text: 'At ni', state: 'streaming' });
    const done = play(streaming, { type: 'data-message', data: answer }, { type: 'finish' });
    expect(done.messages.at(-1)).toMatchObject({ text: 'At nine.', state: 'complete' });
    expect(done.messages).toHaveLength(2);
  });

  test('does not shrink while a resumed stream repeats itself', () => {
    const streaming = play(sent, { type: 'start', messageId: 'msg_2' }, delta('At nine'));
    const again = play(streaming, { type: 'start', messageId: 'msg_2' }, delta('At'));
    expect(again.messages.at(-1)?.text).toBe('At nine');
    expect(play(again, delta(' nine.')).messages.at(-1)?.text).toBe('At nine.');
  });

  test('says of a failure whether any text had arrived', () => {
    const begun = play(sent, { type: 'start', messageId: 'msg_2' });
    const error = { type: 'error', errorText: 'The model is gone.' } as const;
    expect(play(begun, error).messages.at(-1)?.state).toBe('failed');
    expect(play(begun, delta('At'), error).messages.at(-1)?.state).toBe('incomplete');
  });

  test('shows pages oldest first', () => {
    const page = { messages: [answer, message], nextCursor: null };
    const { messages } = reduce(emptyConversation(true), { type: 'loaded', page });
    expect(messages.map(({ id }) => id)).toEqual(['msg_1', 'msg_2']);
  });
});

describe('a reloaded conversation', () => {
  const read = (messages: Message[], state = emptyConversation(true)) =>
    reduce(state, { type: 'loaded', page: { messages, nextCursor: 'older' } });

  test('keeps the earlier messages already loaded', () => {
    const page = { messages: [message], nextCursor: null };
    const whole = reduce(read([answer]), { type: 'earlier', page });
    const again = read([answer], whole);
    expect(again.messages.map(({ id }) => id)).toEqual(['msg_1', 'msg_2']);
    expect(again.earlier).toBe(null);
  });
});

describe('branches', () => {
  const whole = reduce(emptyConversation(true), {
    type: 'loaded',
    page: { messages: [answer, message], nextCursor: null },
  });
  const texts = ({ messages }: ConversationState) => messages.map(({ text }) => text);

  test('a regenerated answer replaces the old one when it begins', () => {
    const branched = reduce(whole, { type: 'branched', lastKept: 'msg_1' });
    expect(texts(branched)).toEqual(['When?']);
    const again = play(
      branched,
      { type: 'data-message', data: message },
      { type: 'start', messageId: 'msg_3' },
      delta('At ten.'),
    );
    expect(texts(again)).toEqual(['When?', 'At ten.']);
  });

  test('an edited message takes the place of the old one, and the rest of its branch is removed', () => {
    const edited = reduce(whole, { type: 'edited', id: 'msg_1', text: 'Where?' });
    expect(edited.messages).toMatchObject([{ key: 'msg_1', id: null, text: 'Where?', state: 'pending' }]);
    const stored = { ...message, id: 'msg_4', text: 'Where?', siblings: ['msg_1', 'msg_4'] };
    const put = play(edited, { type: 'data-message', data: stored });
    expect(put.messages).toMatchObject([{ key: 'msg_1', id: 'msg_4', siblings: ['msg_1', 'msg_4'] }]);
  });

  test('a selected branch takes the place of the previous one', () => {
    const other = { ...answer, id: 'msg_3', text: 'At ten.', siblings: ['msg_2', 'msg_3'] };
    const chosen = reduce(whole, { type: 'loaded', page: { messages: [other, message], nextCursor: null } });
    expect(chosen.messages.map(({ key, id }) => [key, id])).toEqual([
      ['msg_1', 'msg_1'],
      ['msg_2', 'msg_3'],
    ]);
  });

  test('on a reload an undelivered message stays, and a delivered one appears once', () => {
    const page = (...messages: Message[]) => ({ messages, nextCursor: null });
    const unsent = reduce(sent, { type: 'unsent', key: 'sent-1', error: 'No line.' });
    const other = { ...message, id: 'msg_9', text: 'Something else' };
    expect(texts(reduce(unsent, { type: 'loaded', page: page(other) }))).toEqual(['Something else', 'When?']);
    expect(texts(reduce(unsent, { type: 'loaded', page: page(message) }))).toEqual(['When?']);
  });

  test('an undelivered message is not lost when another one is delivered', () => {
    const unsent = reduce(sent, { type: 'unsent', key: 'sent-1', error: 'No line.' });
    const other = { key: 'sent-2', text: 'Where?', attachments: [] };
    const stored = play(reduce(unsent, { type: 'sent', message: other }), {
      type: 'data-message',
      data: { ...message, id: 'msg_4', text: 'Where?' },
    });
    expect(stored.messages).toMatchObject([
      { key: 'sent-1', text: 'When?', state: 'unsent' },
      { key: 'sent-2', text: 'Where?', id: 'msg_4' },
    ]);
  });

  test('the asker in a room is known even while the answer is streamed', () => {
    const author = { id: 'usr_2', name: 'Grace', profilePhoto: '' };
    const page = { messages: [{ ...message, author }], nextCursor: null };
    const read = reduce(emptyConversation(true), { type: 'loaded', page });
    expect(play(read, { type: 'data-message', data: message }).messages).toMatchObject([{ author }]);
  });

  test('a pending message to a room survives a reload, and can fail afterwards', () => {
    const said = { key: 'said-1', text: 'Hello all', attachments: [] };
    const read = reduce(reduce(whole, { type: 'said', message: said }), {
      type: 'loaded',
      page: { messages: [answer, message], nextCursor: null },
    });
    const failed = reduce(read, { type: 'unsent', key: 'said-1', error: 'No line.' });
    expect(failed.messages.at(-1)).toMatchObject({ text: 'Hello all', state: 'unsent' });
  });

  test('a resent message is pending once', () => {
    const unsent = reduce(sent, { type: 'unsent', key: 'sent-1', error: 'No line.' });
    const again = reduce(unsent, {
      type: 'sent',
      message: { key: 'sent-1', text: 'When?', attachments: [] },
    });
    expect(again.messages).toMatchObject([{ key: 'sent-1', state: 'pending', error: null }]);
  });
});

describe('a message that requires payment', () => {
  const message = { key: 'sent-1', text: 'When?', attachments: [] };
  const refused = reduce(sent, { type: 'refused', refused: { message, reason: 'Buy it first.' } });

  test('leaves the page and returns to the composer until something is sent', () => {
    expect(refused).toMatchObject({ messages: [], activity: 'idle', refused: { message } });
    expect(reduce(refused, { type: 'sent', message })).toMatchObject({
      refused: null,
      messages: [{ key: 'sent-1', state: 'pending' }],
    });
  });

  test('can be dismissed', () => {
    expect(reduce(refused, { type: 'refused', refused: null }).refused).toBeNull();
  });
});
