import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import type { AppError } from '../app-error.ts';
import { addressGroup, allowanceKey, takeAllowance } from './allowance.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const take = (key: string, max: number, seconds: number) =>
  product.app.deps.db.in({}, (tx) => takeAllowance(tx, key, { max, seconds }));

test('concurrent takers get exactly as many as the allowance holds', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 40 }, () => take('at once', 7, 60)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
});

/** Moves everything taken so far into the past. */
const letPass = (key: string, seconds: number) =>
  product.app.deps.db.owner.query(
    `update allowance set taken_at = array(select at - make_interval(secs => $2) from unnest(taken_at) as at) where key = $1`,
    [allowanceKey(key), seconds],
  );

test('each slot frees up when its own time is over, and until then a refusal gives the wait', async () => {
  await take('sliding', 2, 60);
  await letPass('sliding', 30);
  await take('sliding', 2, 60);
  const refused = (await take('sliding', 2, 60).catch((error: unknown) => error)) as AppError;
  const { retryAfterSeconds: wait = 0 } = refused;
  expect(refused).toMatchObject({
    code: 'request/rate-limited',
    message: `Too many requests. Try again in ${wait} seconds.`,
  });
  expect(wait).toBeGreaterThan(2);
  expect(wait).toBeLessThanOrEqual(30);
  await letPass('sliding', 30);
  await take('sliding', 2, 60);
  await expect(take('sliding', 2, 60)).rejects.toMatchObject({ code: 'request/rate-limited' });
});

test('the last second is worded in the singular', async () => {
  const twice = product.app.deps.db.in({}, async (tx) => {
    await takeAllowance(tx, 'a second', { max: 1, seconds: 1 });
    await takeAllowance(tx, 'a second', { max: 1, seconds: 1 });
  });
  await expect(twice).rejects.toMatchObject({
    retryAfterSeconds: 1,
    message: 'Too many requests. Try again in 1 second.',
  });
});

test('entries from a clock that has since been set back block nobody', async () => {
  await take('ahead', 1, 60);
  const { owner } = product.app.deps.db;
  const ahead = `array(select at + interval '26 hours' from unnest(taken_at) as at)`;
  await owner.query(`update allowance set taken_at = ${ahead} where key = $1`, [allowanceKey('ahead')]);
  await take('ahead', 1, 60);
  await expect(take('ahead', 1, 60)).rejects.toMatchObject({ code: 'request/rate-limited' });
});

test('a rolled-back transaction takes nothing', async () => {
  const undone = product.app.deps.db.in({}, async (tx) => {
    await takeAllowance(tx, 'undone', { max: 1, seconds: 60 });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await take('undone', 1, 60);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:0:0:1::', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
