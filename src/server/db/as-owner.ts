import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { transaction, type Database, type Tx } from './scope.ts';

/**
 * One transaction of the owner, whom row-level security does not bind: for work on one person that is spread over organizations.
 * No request's data, and every statement says whose rows it means.
 */
export async function asOwner<T>(
  { owner }: Pick<Database, 'owner'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(owner, (client) => work(drizzle({ client })));
}

/** One transaction on a connection of this pool: committed before this resolves, undone when `work` throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  return transaction(() => pool.connect(), begin, work);
}
