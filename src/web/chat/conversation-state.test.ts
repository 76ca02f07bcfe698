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
  error: null,
  sequence: 1,
  createdAt: '2026-01-01T00:00:00Z',
};
const answer: Message = { ...message, id: 'msg_2', role: 'assistant', text: 'At nine.', sequence: 2 };

function play(state: ConversationState, ...events: ChatStreamEvent[]): ConversationState {
  return events.reduce((before, event) => reduce(before, { type: 'event', event }), state);
}

const sent = reduce(emptyConversation(true), { type: 'sent', key: 'sent-1', text: 'When?' });
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
