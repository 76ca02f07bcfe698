import { expect, test } from 'vitest';
import { lineOf } from './line-of.ts';

test.each([
  ['We are open from **nine to five** [1].', 'We are open from nine to five.'],
  ['| Day | Hours |\n|:---|---:|\n| Mon | 9 |', 'Day  Hours \n\n Mon  9'],
  ['```ts\nconst user_id = 1;\n```', 'const user_id = 1;'],
  [
    '__Well__, _yes_: see [our shop](https://shop.example/a) and ![a lamp](x.png)',
    'Well, yes: see our shop and a lamp',
  ],
  ['a - b -- c, 3-4', 'a - b -- c, 3-4'],
  ['# Cut off\n\n```ts\nconst', 'Cut off\n\n\nconst'],
])('%j is shown as %j', (markdown, line) => {
  expect(lineOf(markdown)).toBe(line);
});
