import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CredentialCache } from './credential-cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

test('a hit is cached for three seconds, and a miss is not cached', async () => {
  const cache = new CredentialCache<string>();
  const look = vi.fn<() => Promise<string | undefined>>(async () => undefined);
  await cache.find('key', look);
  look.mockResolvedValue('found');
  expect([await cache.find('key', look), await cache.find('key', look)]).toEqual(['found', 'found']);
  expect(look).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(3000);
  await cache.find('key', look);
  expect(look).toHaveBeenCalledTimes(3);
});

test.each([
  ['by what it is', (cache: CredentialCache<string>) => cache.forget((value) => value === 'found')],
  ['by its key', (cache: CredentialCache<string>) => cache.forgetKey('key')],
])('an entry forgotten %s during its lookup is not cached', async (_how, forget) => {
  const cache = new CredentialCache<string>();
  const answer = Promise.withResolvers<string>();
  const first = cache.find('key', () => answer.promise);
  forget(cache);
  answer.resolve('found');
  expect(await first).toBe('found');
  expect(await cache.find('key', async () => undefined)).toBeUndefined();
});
