import { expect, test } from 'vitest';
import { addressAt } from './text-fragment.ts';

const url = 'https://example.com/help';

test.each([
  [
    'a sentence',
    'The lamp is well-made, of brass.',
    `${url}#:~:text=The%20lamp%20is%20well%2Dmade%2C%20of%20brass.`,
  ],
  [
    'a heading first',
    '# Lamps\n\nThe lamp is made of brass.',
    `${url}#:~:text=The%20lamp%20is%20made%20of%20brass.`,
  ],
  ['a list', '- The lamp is **new**', `${url}#:~:text=The%20lamp%20is`],
  ['too little', '**Lamp**', url],
])('a page is opened at %s', (_what, passage, expected) => {
  expect(addressAt(url, passage)).toBe(expected);
});

test('an existing fragment of an address is kept', () => {
  expect(addressAt(`${url}#lamps`, 'The lamp is made of brass.')).toMatch(/#lamps:~:text=The%20lamp/);
});
