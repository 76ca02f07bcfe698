import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import { marking, type Mark } from './mark.ts';

let product: Product;
let userId: string;
beforeAll(async () => {
  product = await startProduct();
  userId = (await product.sessionOf('ada')).user.uid;
});
afterAll(() => product.close());

const markOf = (key: string): Mark => ({
  statement: `select mark_key_written('${userId}', '${key}', 7)`,
  isOver: false,
  isUncertain: false,
});

async function hold(key: string): Promise<void> {
  await product.app.deps.db.owner.query(
    `insert into idempotency_key (user_id, key, request_hash, runner) values ($1, $2, '', 7)`,
    [userId, key],
  );
}

async function isWritten(key: string): Promise<boolean | undefined> {
  const { rows } = await product.app.deps.db.owner.query<{ written: boolean }>(
    'select written from idempotency_key where key = $1',
    [key],
  );
  return rows[0]?.written;
}

const nameUser = (name: string, mark: Mark): Promise<unknown> => {
  const { db } = product.app.deps;
  return marking(mark, () =>
    db.in({ userId }, (tx) => tx.execute(sql`update "user" set name = ${name} where id = ${userId}`)),
  );
};

async function nameOfUser(): Promise<string> {
  return (await product.as('ada').user.get({ id: userId })).user.name;
}

test('a transaction that writes marks its commit, a read-only one does not', async () => {
  const { db } = product.app.deps;
  await hold('looks');
  await marking(markOf('looks'), () => db.in({ userId }, (tx) => tx.execute(sql`select 1`)));
  await marking(markOf('looks'), () => db.reading({ userId }, (tx) => tx.execute(sql`select 1`)));
  expect(await isWritten('looks')).toBe(false);
  await nameUser('Ada the First', markOf('looks'));
  expect(await isWritten('looks')).toBe(true);
});

test('a transaction whose key has been released in the meantime does nothing', async () => {
  await hold('given-up');
  await nameUser('Ada the Second', markOf('given-up'));
  await product.app.deps.db.owner.query(`delete from idempotency_key where key = 'given-up'`);
  const mark = markOf('given-up');
  await expect(nameUser('Ada the Third', mark)).rejects.toMatchObject({ code: '40001' });
  expect(mark.isUncertain).toBe(false);
  expect(await nameOfUser()).toBe('Ada the Second');
});

test('work still running after its request ended is not part of the request', async () => {
  const mark = markOf('ended');
  mark.isOver = true;
  await nameUser('Ada the Fourth', mark);
  expect(await nameOfUser()).toBe('Ada the Fourth');
});
