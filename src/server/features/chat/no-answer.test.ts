import { expect, test } from 'vitest';
import { isNoAnswer } from './no-answer.ts';

const fallback = 'Ask us by *mail*.';

test.each([
  fallback,
  ' "Ask us by mail" ',
  'I don’t know.',
  "I'm sorry, but I do not know the answer to that question.",
  'I have no answer to this.',
  'Das weiß ich leider nicht.',
  'Je ne sais pas',
  'No lo sé.',
  '我不知道。',
])('%j means that there is no answer', (text) => expect(isNoAnswer(text, fallback)).toBe(true));

test.each([
  '',
  'I don’t know what you mean. We open at nine.',
  'I do not know, but the manual says nine [1].',
  'Ask us by mail, at mail@example.com.',
  'You know that.',
  'I am sorry, '.repeat(2000),
])('%j is an answer', (text) => expect(isNoAnswer(text, fallback)).toBe(false));
