import { drizzle } from 'drizzle-orm/node-postgres';
import { rollBack, type Database, type Tx } from './scope.ts';

/**
 * One transaction of the owner, whom row-level security does not bind: for work on one person that is spread over organizations.
 * No request's data, and every statement says whose rows it means.
 */
export async function asOwner<T>(
  { owner }: Pick<Database, 'owner'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await owner.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(drizzle({ client }));
    await client.query('commit');
    return result;
  } catch (error) {
    broken = await rollBack(client, error);
    throw error;
  } finally {
    client.release(broken);
  }
}
