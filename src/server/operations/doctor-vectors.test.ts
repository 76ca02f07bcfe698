import { expect, test } from 'vitest';
import { findingOf } from './doctor-vectors.ts';

const none = { version: undefined, isUsable: false, isToBeHad: false };
const index = { name: 'chunk_vector_bits_384', dimensions: 384, isValid: true };

test('doctor says how large agents are searched, and what the faster way lacks', () => {
  const usable = { version: '0.8.0', isUsable: true, isToBeHad: false };
  expect(findingOf({ large: 1, indexes: [index], extension: usable })).toMatchObject({
    level: 'ok',
    text: expect.stringContaining('by an index'),
  });
  expect(findingOf({ large: 0, indexes: [], extension: none })).toMatchObject({ level: 'ok' });
  expect(findingOf({ large: 1, indexes: [], extension: none })).toMatchObject({
    level: 'warning',
    text: expect.stringMatching(/^1 agent has more than 50,000 passages.*server has none/),
  });
  const old = { ...none, version: '0.7.4' };
  expect(findingOf({ large: 2, indexes: [], extension: old }).text).toMatch(/^2 agents have .*has 0\.7\.4/);
});

test('an unfinished index does not count, and an administrator is told what to do', () => {
  const toBeHad = { version: '0.8.0', isUsable: false, isToBeHad: true };
  const indexes = [{ ...index, isValid: false }];
  expect(findingOf({ large: 1, indexes, extension: toBeHad }).text).toContain('CREATE EXTENSION vector');
  const usable = { ...toBeHad, isUsable: true };
  expect(findingOf({ large: 1, indexes, extension: usable })).toMatchObject({ level: 'warning' });
});
