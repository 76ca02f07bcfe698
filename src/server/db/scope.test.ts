import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import { literal } from './literal.ts';
import { transaction } from './scope.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

test('nothing runs in a transaction whose settings were rejected, even if its first statement was sent along', async () => {
  const { owner } = product.app.deps.db;
  await owner.query('create table done (what text)');
  const insert = `insert into done values ('it')`;
  const begin = 'begin; select 1 / 0';
  await expect(
    transaction(
      () => owner.connect(),
      begin,
      (client) => client.query(insert),
    ),
  ).rejects.toThrow('division by zero');
  expect((await owner.query('select from done')).rowCount).toBe(0);
  await transaction(
    () => owner.connect(),
    'begin',
    (client) => client.query(insert),
  );
  expect((await owner.query('select from done')).rowCount).toBe(1);
});

test('a value with NUL is never put into a statement', () => {
  expect(literal("it's")).toBe("'it''s'");
  expect(() => literal('a\0b')).toThrow('NUL');
});
