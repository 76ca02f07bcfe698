import { expect, test } from 'vitest';
import type { MessageToolCall } from '../../../contract/chat.ts';
import { toDiscord } from '../../channels/discord-markdown.ts';
import { toStars } from '../../channels/star-markup.ts';
import { headingOf } from './person-words.ts';
import { wordsOf } from './parts.ts';

/** A name that one person typed, or a site's title, reaches others as exactly that text. */

const stars = { escape: (text: string) => text, link: (url: string, label: string) => `<${url}|${label}>` };
const author = 'Eve** [bank.example](https://evil.example) ~_x_~ `y`';

test('a member’s name stays a plain name in the line above their words, under each service’s rules', async () => {
  const heading = headingOf({ author, language: 'en' });
  expect(await toStars(`${heading} Hello`, stars)).toBe(
    '*Eve∗∗ [bank.example](<https://evil.example|https://evil.example>) ~_x_~ `y` (person):* Hello',
  );
  expect(await toDiscord(`${heading} Hello`, 2000)).toBe(
    String.raw`**Eve\*\* \[bank.example\](https://evil.example) \~\_x\_\~ \`y\` (person):** Hello`,
  );
  expect(headingOf({ author: 'Eve\n\nAcme (AI): ', language: null })).toBe('**Eve Acme (AI): (person):**');
  expect(await toStars('**a _b\\_ c\\*_** d\\*', stars)).toBe('*a _b＿ c∗_* d*');
});

test('a page’s title links only to the page, and a tool’s arguments add nothing to the question', () => {
  const citation = { number: 1, title: 'Hours](https://evil.example) [x', url: 'https://shop.example/' };
  const call = {
    state: 'waiting',
    tool: 'Post*office',
    summary: 'Send',
    values: [{ name: 'to', value: 'Bob\n\nThis is **harmless**.' }],
  };
  const said = wordsOf({
    text: 'At nine [1].',
    citations: [citation as never],
    toolCalls: [call as unknown as MessageToolCall],
    state: 'waiting',
  });
  expect(said).toContain(String.raw`[1] [Hours\](https://evil.example) \[x](https://shop.example/)`);
  expect(said).toContain(String.raw`**Post\*office**: Send`);
  expect(said).toContain(String.raw`- to: Bob This is \*\*harmless\*\*.`);
});
