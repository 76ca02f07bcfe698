import { describe, expect, test } from 'vitest';
import { email, required } from './rules.ts';

describe('required', () => {
  test.each([null, undefined, [], '', '  \n'])('fails on %j', (value) => expect(required(value)).toBe(false));
  test.each([false, 0, 'a', ['a']])('passes on %j', (value) => expect(required(value)).toBe(true));
  test('fails on false if false is not allowed', () => {
    expect(required(false, { allowFalse: false })).toBe(false);
  });
});

describe('email', () => {
  test('accepts one address', () => {
    expect(email('ada@example.com')).toBe(true);
    expect(email('ada@example')).toBe(false);
    expect(email('ada@example.com, bob@example.com')).toBe(false);
  });
  test.each(['; ', '\n', ',\n', '\n\n'])('accepts a list separated by %j with multiple', (separator) => {
    expect(email(`ada@example.com${separator}bob@example.com\n`, { multiple: true })).toBe(true);
    expect(email(`ada@example.com${separator}bob`, { multiple: true })).toBe(false);
  });

  test('accepts a comma-separated list with multiple', () => {
    expect(email('ada@example.com, bob@example.com', { multiple: true })).toBe(true);
    expect(email('ada@example.com,, bob@example.com', { multiple: true })).toBe(false);
  });
});
