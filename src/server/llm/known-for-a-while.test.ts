import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { knownForAWhile } from './known-for-a-while.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('concurrent callers share one read, and its result is cached, even an empty one', async () => {
  const read = vi.fn(async () => []);
  const known = knownForAWhile(read);
  await Promise.all(Array.from({ length: 100 }, () => known.of('org_1')));
  await known.of('org_1');
  expect(read).toHaveBeenCalledTimes(1);
  await known.of('org_2');
  expect(read).toHaveBeenCalledTimes(2);
});

test('a value is reread after its lifetime, and at once after a change', async () => {
  let value = 1;
  const known = knownForAWhile(async () => value);
  expect(await known.of('org_1')).toBe(1);
  value = 2;
  expect(await known.of('org_1')).toBe(1);
  known.forget('org_1');
  expect(await known.of('org_1')).toBe(2);
  value = 3;
  vi.advanceTimersByTime(5000);
  expect(await known.of('org_1')).toBe(3);
});

test('a failed read is not cached', async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue('there');
  const known = knownForAWhile(read);
  await expect(known.of('org_1')).rejects.toThrow('away');
  expect(await known.of('org_1')).toBe('there');
});

test('a read begun before a change and finished after it is not cached', async () => {
  const slow = Promise.withResolvers<string>();
  const read = vi.fn().mockReturnValueOnce(slow.promise).mockResolvedValue('new');
  const known = knownForAWhile(read);
  const before = known.of('org_1');
  known.forget('org_1');
  slow.resolve('old');
  expect(await before).toBe('old');
  expect(await known.of('org_1')).toBe('new');
});
