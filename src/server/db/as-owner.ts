import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { transaction, type Database, type Tx } from './scope.ts';

/**
 * A transaction as the owner, whom row-level security doesn't bind: for work on one person whose data spans
 * organizations. Not for requests' data; every statement names whose rows it means.
 */
export async function asOwner<T>(
  { owner }: Pick<Database, 'owner'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(owner, (client) => work(drizzle({ client })));
}

/** A transaction on a connection from this pool: committed before this resolves, rolled back if `work` throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  return transaction(() => pool.connect(), begin, work);
}
