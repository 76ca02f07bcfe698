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
  test('keeps the place of a message when it turns from sent to stored', () => {
    const { messages } = play(sent, { type: 'data-message', data: message });
    expect(messages).toMatchObject([{ key: 'sent-1', id: 'msg_1', state: 'complete' }]);
  });

  test('grows its answer and ends with the stored one', () => {
    const streaming = play(sent, { type: 'start', messageId: 'msg_2' }, delta('At '), delta('ni'));
    expect(streaming.messages.at(-1)).toMatchObject({ text: 'At ni', state: 'streaming' });
    const done = play(streaming, { type: 'data-message', data: answer }, { type: 'finish' });
    expect(done.messages.at(-1)).toMatchObject({ text: 'At nine.', state: 'complete' });
    expect(done.messages).toHaveLength(2);
  });

  test('does not shrink while a stream that is picked up again repeats itself', () => {
    const streaming = play(sent, { type: 'start', messageId: 'msg_2' }, delta('At nine'));
    const again = play(streaming, { type: 'start', messageId: 'msg_2' }, delta('At'));
    expect(again.messages.at(-1)?.text).toBe('At nine');
    expect(play(again, delta(' nine.')).messages.at(-1)?.text).toBe('At nine.');
  });

  test('says of a failure whether anything came', () => {
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

describe('a conversation that is read again', () => {
  const read = (messages: Message[], state = emptyConversation(true)) =>
    reduce(state, { type: 'loaded', page: { messages, nextCursor: 'older' } });

  test('keeps the earlier messages that were asked for', () => {
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

  test('an answer that is made once more takes the place of the old one when it begins', () => {
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

  test('what is said instead stands where the old message stood, and nothing of its branch stays', () => {
    const edited = reduce(whole, { type: 'edited', id: 'msg_1', text: 'Where?' });
    expect(edited.messages).toMatchObject([{ key: 'msg_1', id: null, text: 'Where?', state: 'pending' }]);
    const stored = { ...message, id: 'msg_4', text: 'Where?', siblings: ['msg_1', 'msg_4'] };
    const put = play(edited, { type: 'data-message', data: stored });
    expect(put.messages).toMatchObject([{ key: 'msg_1', id: 'msg_4', siblings: ['msg_1', 'msg_4'] }]);
  });

  test('another branch that is chosen keeps the place of the one it follows', () => {
    const other = { ...answer, id: 'msg_3', text: 'At ten.', siblings: ['msg_2', 'msg_3'] };
    const chosen = reduce(whole, { type: 'loaded', page: { messages: [other, message], nextCursor: null } });
    expect(chosen.messages.map(({ key, id }) => [key, id])).toEqual([
      ['msg_1', 'msg_1'],
      ['msg_2', 'msg_3'],
    ]);
  });

  test('a message that did not arrive stays when the messages are read again, one that did is there once', () => {
    const page = (...messages: Message[]) => ({ messages, nextCursor: null });
    const unsent = reduce(sent, { type: 'unsent', key: 'sent-1', error: 'No line.' });
    const other = { ...message, id: 'msg_9', text: 'Something else' };
    expect(texts(reduce(unsent, { type: 'loaded', page: page(other) }))).toEqual(['Something else', 'When?']);
    expect(texts(reduce(unsent, { type: 'loaded', page: page(message) }))).toEqual(['When?']);
  });

  test('a message that did not arrive is not lost to another one that does', () => {
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

  test('who of a room has asked is known also while the answer to them is followed', () => {
    const author = { id: 'usr_2', name: 'Grace', profilePhoto: '' };
    const page = { messages: [{ ...message, author }], nextCursor: null };
    const read = reduce(emptyConversation(true), { type: 'loaded', page });
    expect(play(read, { type: 'data-message', data: message }).messages).toMatchObject([{ author }]);
  });

  test('what is on its way to others in a room stays when the messages are read meanwhile, and can fail then', () => {
    const said = { key: 'said-1', text: 'Hello all', attachments: [] };
    const read = reduce(reduce(whole, { type: 'said', message: said }), {
      type: 'loaded',
      page: { messages: [answer, message], nextCursor: null },
    });
    const failed = reduce(read, { type: 'unsent', key: 'said-1', error: 'No line.' });
    expect(failed.messages.at(-1)).toMatchObject({ text: 'Hello all', state: 'unsent' });
  });

  test('a message that is sent again is on its way once', () => {
    const unsent = reduce(sent, { type: 'unsent', key: 'sent-1', error: 'No line.' });
    const again = reduce(unsent, {
      type: 'sent',
      message: { key: 'sent-1', text: 'When?', attachments: [] },
    });
    expect(again.messages).toMatchObject([{ key: 'sent-1', state: 'pending', error: null }]);
  });
});

describe('what has to be paid for', () => {
  const message = { key: 'sent-1', text: 'When?', attachments: [] };
  const refused = reduce(sent, { type: 'refused', refused: { message, reason: 'Buy it first.' } });

  test('leaves the page, since it is in the composer again, until something is sent', () => {
    expect(refused).toMatchObject({ messages: [], activity: 'idle', refused: { message } });
    expect(reduce(refused, { type: 'sent', message })).toMatchObject({
      refused: null,
      messages: [{ key: 'sent-1', state: 'pending' }],
    });
  });

  test('may be put aside', () => {
    expect(reduce(refused, { type: 'refused', refused: null }).refused).toBeNull();
  });
});
