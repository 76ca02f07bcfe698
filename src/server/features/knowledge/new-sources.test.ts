import { expect, test } from 'vitest';
import { productSource } from './new-sources.ts';

test('what has no name is called by its first line, in which no character is cut in two', () => {
  const { title, card } = productSource(`A${'🛎'.repeat(300)}`);
  expect(title).toBe(`A${'🛎'.repeat(59)}…`);
  expect(card?.description).toBe(`A${'🛎'.repeat(249)}`);
});
