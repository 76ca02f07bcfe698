import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Bubble } from './bubble.tsx';
import { ConversationContext, type ConversationParts } from './conversation-context.ts';
import type { ChatTransport, ShownMessage } from './types.ts';

beforeAll(() => vi.stubGlobal('location', { origin: 'https://parley.test' }));

const answer: ShownMessage = {
  key: 'msg_2',
  id: 'msg_2',
  role: 'assistant',
  text: 'At nine.',
  state: 'complete',
  citations: [],
  attachments: [],
  toolCalls: [],
  suggestions: ['And on Sundays?'],
  author: null,
  siblings: ['msg_2'],
  rating: null,
  error: null,
};
const all: Partial<ChatTransport> = {
  again: () => Promise.reject(new Error()),
  choose: () => Promise.resolve(),
  rate: () => Promise.resolve(),
  receipt: () => Promise.reject(new Error()),
};

function html(message: Partial<ShownMessage>, transport: Partial<ChatTransport> = all, me?: string): string {
  const parts = {
    agent: {
      name: 'Desk',
      profilePhoto: '',
      welcomeMessage: '',
      conversationStarters: [],
      voiceEnabled: true,
    },
    chat: { activity: 'idle', messages: [] },
    transport,
    me,
    editing: null,
  } as unknown as ConversationParts;
  return renderToStaticMarkup(
    <ConversationContext value={parts}>
      <Bubble message={{ ...answer, ...message }} isLast />
    </ConversationContext>,
  );
}

describe('a message', () => {
  test('shows follow-up questions in the direction of their own language', () => {
    const question = 'מתי אתם פתוחים?';
    expect(html({ suggestions: [question] })).toContain(`<span dir="auto">${question}</span>`);
  });

  test('says whether AI or a member of the team wrote it', () => {
    expect(html({})).toMatch(/>AI</);
    expect(html({ role: 'user' })).not.toMatch(/>AI</);
    const member = html({ role: 'operator', author: { id: 'usr_1', name: 'Grace', profilePhoto: '' } });
    expect(member).toMatch(/>Person</);
    expect(member).not.toMatch(/>AI</);
  });

  test('of a member shows their words as written, with addresses that can be opened', () => {
    const text =
      'Is **this** it (see https://shop.test/lamps_(old)/?a=1&b=2)? <b>Or</b> http://a.test, javascript:x';
    const shown = html({ role: 'operator', text });
    expect(shown).toContain('Is **this** it (see <a');
    expect(shown).toContain('&lt;b&gt;Or&lt;/b&gt;');
    const [first, second, ...others] = [...shown.matchAll(/href="([^"]*)"[^>]*>([^<]*)<\/a>/g)];
    expect(first?.slice(1)).toEqual(Array(2).fill('https://shop.test/lamps_(old)/?a=1&amp;b=2'));
    expect(second?.slice(1)).toEqual(['http://a.test/', 'http://a.test']);
    expect(others).toEqual([]);
  });

  test('offers only the actions available in its context', () => {
    const full = html({});
    for (const name of ['Copy', 'Read aloud', 'Regenerate', 'Good answer', 'How this answer was made'])
      expect(full).toContain(`aria-label="${name}"`);
    const bare = html({}, {});
    for (const name of ['Regenerate', 'Good answer', 'How this answer was made'])
      expect(bare).not.toContain(`aria-label="${name}"`);
  });

  test('says which of several branches it is', () => {
    expect(html({ siblings: ['msg_1', 'msg_2', 'msg_3'] })).toContain('2 / 3');
    expect(html({})).not.toContain('1 / 1');
  });

  test('is followed by suggested questions', () => {
    expect(html({})).toContain('And on Sundays?');
  });

  test.each([
    ['stopped', 'Stopped.', 'Answer again'],
    ['failed', 'The answer failed.', 'Try again'],
    ['incomplete', 'The answer was cut off.', 'Answer again'],
  ] as const)('that is %s says so and offers a next step', (state, remark, way) => {
    const shown = html({ state });
    expect(shown).toContain(remark);
    expect(shown).toContain(way);
    // Only as text: an icon that does the same would make people wonder about the difference.
    expect(shown).not.toContain('Regenerate');
  });

  test('that is empty cannot be rated', () => {
    expect(html({ state: 'failed', text: '' })).not.toContain('Good answer');
    expect(html({ state: 'incomplete' })).toContain('Good answer');
  });

  test('that was not delivered can be resent', () => {
    const shown = html({ role: 'user', id: null, state: 'unsent', error: 'No line.' });
    expect(shown).toContain('No line.');
    expect(shown).toContain('Send again');
  });

  test('of another person in a room has their name, and the reader’s own does not', () => {
    const author = { id: 'usr_1', name: 'Grace', profilePhoto: '' };
    expect(html({ role: 'user', author }, all, 'usr_2')).toContain('Grace');
    expect(html({ role: 'user', author }, all, 'usr_1')).not.toContain('Grace');
  });
});
