import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lately } from './lately.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

test('what was found is not looked for again for three seconds; what was not found is', async () => {
  const lately = new Lately<string>();
  const look = vi.fn<() => Promise<string | undefined>>(async () => undefined);
  await lately.find('key', look);
  look.mockResolvedValue('found');
  expect([await lately.find('key', look), await lately.find('key', look)]).toEqual(['found', 'found']);
  expect(look).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(3000);
  await lately.find('key', look);
  expect(look).toHaveBeenCalledTimes(3);
});

test.each([
  ['by what it is', (lately: Lately<string>) => lately.forget((value) => value === 'found')],
  ['by its key', (lately: Lately<string>) => lately.forgetKey('key')],
])('what is forgotten %s while it is being looked at is not remembered', async (_how, forget) => {
  const lately = new Lately<string>();
  const answer = Promise.withResolvers<string>();
  const first = lately.find('key', () => answer.promise);
  forget(lately);
  answer.resolve('found');
  expect(await first).toBe('found');
  expect(await lately.find('key', async () => undefined)).toBeUndefined();
});
