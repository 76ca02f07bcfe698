import { expect, test } from 'vitest';
import { translator } from './translate.ts';

const t = translator(
  { hello: 'Hello {name}', 'files#one': '{count} file', 'files#other': '{count} files' },
  'en',
);

test('fills in values and leaves unknown placeholders alone', () => {
  expect(t('hello', { name: 'Ada' })).toBe('Hello Ada');
  expect(t('hello')).toBe('Hello {name}');
});

test('chooses the plural form by count', () => {
  expect(t('files#', { count: 1 })).toBe('1 file');
  expect(t('files#', { count: 0 })).toBe('0 files');
});
