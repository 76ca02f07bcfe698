import { expect, test } from 'vitest';
import { outgoing, withNews, withUnsent } from './shown-messages.ts';
import type { ShownMessage } from './types.ts';

const [blank] = outgoing([], { key: '', text: '', attachments: [] });
const stored = (id: string, text = id, changes: Partial<ShownMessage> = {}) =>
  ({ ...blank, key: id, id, text, state: 'complete', ...changes }) as ShownMessage;
const ids = (messages: ShownMessage[]) => messages.map(({ id, text }) => id ?? `(${text})`);

test('messages from others are inserted in order, and those on screen stay unchanged', () => {
  const answer = stored('3', 'Half an ans', { role: 'assistant', state: 'streaming' });
  const shown = outgoing([stored('1'), stored('2'), answer], { key: 'k', text: 'Mine', attachments: [] });
  const read = [stored('2'), stored('3', 'Half'), stored('4', 'Of somebody else')];
  const next = withNews(shown, read);
  expect(ids(next)).toEqual(['1', '2', '3', '4', '(Mine)']);
  expect(next[2]).toBe(answer);
});

test('a message that arrives during a reload is not lost', () => {
  const shown = [stored('1'), stored('2'), stored('4')];
  expect(ids(withNews(shown, [stored('1'), stored('2'), stored('3')]))).toEqual(['1', '2', '3', '4']);
  expect(ids(withNews(shown, [stored('5'), stored('6')]))).toEqual(['1', '2', '4', '5', '6']);
});

test('a delivered message is not shown twice, as new and as pending', () => {
  const shown = outgoing([stored('1')], { key: 'k', text: 'Mine', attachments: [] });
  expect(ids(withNews(shown, [stored('1'), stored('2', 'Mine')]))).toEqual(['1', '2']);
});

test('an unsent message is restored, unless it was delivered after all', () => {
  const unsent = { key: 'k', text: 'Yes', attachments: [], after: '2' };
  const before = [stored('1', 'Yes'), stored('2', 'Sure?')];
  expect(withUnsent(before, [unsent]).at(-1)).toMatchObject({ key: 'k', id: null, state: 'unsent' });
  expect(withUnsent([...before, stored('3', 'Yes')], [unsent])).toHaveLength(3);
  // It was sent long ago: everything shown came later.
  expect(withUnsent([stored('8', 'Yes')], [unsent])).toHaveLength(1);
});
