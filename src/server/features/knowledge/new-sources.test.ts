import { expect, test } from 'vitest';
import { productSource } from './new-sources.ts';

test('an unnamed source is titled by its first line, without splitting a character', () => {
  const { title, card } = productSource(`A${'🛎'.repeat(300)}`);
  expect(title).toBe(`A${'🛎'.repeat(59)}…`);
  expect(card?.description).toBe(`A${'🛎'.repeat(249)}`);
});
