import { expect, test } from 'vitest';
import { AllowedOrigin } from '../../contract/origin.ts';
import { isAllowedSite } from './sites.ts';

test.each([
  ['https://a.com', 'https://a.com', true],
  ['https://a.com', 'https://a.com.evil.com', false],
  ['https://a.com', 'https://evila.com', false],
  ['https://a.com', 'https://sub.a.com', false],
  ['https://a.com', 'http://a.com', false],
  ['https://a.com', 'https://a.com:8443', false],
  ['https://a.com', 'https://a.com:443', false],
  ['https://a.com', 'https://a.com.', false],
  ['https://a.com', 'https://A.com', false],
  ['https://a.com', 'https://a.com/', false],
  ['https://a.com', 'https://user@a.com', false],
  ['https://a.com', 'null', false],
  ['https://a.com', '', false],
  ['https://a.com', 'https://a.com, https://evil.com', false],
  ['https://a.com:8443', 'https://a.com:8443', true],
  ['https://a.com:8443', 'https://a.com', false],
  ['http://localhost:3000', 'http://localhost:3000', true],
  ['https://*.a.com', 'https://b.a.com', true],
  ['https://*.a.com', 'https://c.b.a.com', true],
  ['https://*.a.com', 'https://a.com', false],
  ['https://*.a.com', 'https://.a.com', false],
  ['https://*.a.com', 'https://evila.com', false],
  ['https://*.a.com', 'https://b.a.com.evil.com', false],
  ['https://*.a.com', 'http://b.a.com', false],
  ['https://*.a.com', 'https://b.a.com:8443', false],
  ['https://*.a.com', 'https://b.a.com.', false],
  ['https://*.a.com', 'https://*.a.com', false],
  ['https://*.a.com:8443', 'https://b.a.com:8443', true],
  ['https://bücher.example', 'https://xn--bcher-kva.example', true],
  ['https://bücher.example', 'https://bücher.example', false],
  ['https://*.bücher.example', 'https://a.xn--bcher-kva.example', true],
  // A Cyrillic а is a different letter.
  ['https://a.com', 'https://xn--80a.com', false],
])('a list with %s lets %s show the agent: %s', (entry, site, isAllowed) => {
  expect(isAllowedSite([AllowedOrigin.parse(entry)], site)).toBe(isAllowed);
});

test('an empty list allows everybody, even without a page; any other allows pages only', () => {
  expect(isAllowedSite([], undefined)).toBe(true);
  expect(isAllowedSite([], 'null')).toBe(true);
  expect(isAllowedSite(['https://a.com'], undefined)).toBe(false);
});

test.each([
  ['https://Shop.Example', 'https://shop.example'],
  ['https://shop.example/', 'https://shop.example'],
  ['https://shop.example:443', 'https://shop.example'],
  [' https://*.Shop.example ', 'https://*.shop.example'],
])('%s is stored the way a browser writes it', (given, kept) => {
  expect(AllowedOrigin.parse(given)).toBe(kept);
});

test.each([
  '',
  '*',
  'null',
  'shop.example',
  'https://',
  'https://*',
  'https://*.',
  'https://*.com',
  'https://*.*.com',
  'https://a.*.com',
  'https://*a.com',
  'https://*.10.0.0.1',
  'https://*.[::1]',
  'https://shop.example.',
  'https://shop.example/path',
  'https://shop.example?x',
  'https://user@shop.example',
  'ftp://shop.example',
  'javascript://shop.example',
  'https://a.com https://b.com',
])('%j is not a valid list entry', (value) => {
  expect(AllowedOrigin.safeParse(value).success).toBe(false);
});
