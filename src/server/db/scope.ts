import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

/** What SQL is written against: a transaction that is already scoped. */
export type Tx = NodePgDatabase & { $client: pg.PoolClient };

/**
 * For whom a transaction speaks. Without an organization no row of any organization can be read or written; with a
 * user alone, only that user's own memberships, organizations and conversations can be read.
 */
export interface Scope {
  organizationId?: string;
  userId?: string;
}

export interface Database {
  /** Runs `work` in one transaction of that scope; it is committed before this resolves, undone when `work` throws. */
  in: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Single statements outside every organization: people, sessions, keys. Rows of organizations are not visible to them. */
  unscoped: NodePgDatabase;
  /** The connections of the owner, whom row-level security does not bind: migrations, jobs, upkeep. No request's data. */
  owner: pg.Pool;
}

export function createDatabase(app: pg.Pool, owner: pg.Pool): Database {
  return {
    owner,
    unscoped: drizzle({ client: app }),
    in: async (scope, work) => {
      const client = await app.connect();
      let broken: Error | undefined;
      try {
        await client.query(begin(scope));
        const result = await work(drizzle({ client }));
        await client.query('commit');
        return result;
      } catch (error) {
        broken = await rollBack(client);
        throw error;
      } finally {
        client.release(broken);
      }
    },
  };
}

/** One round trip: the transaction and its scope, which ends with it. */
function begin({ organizationId = '', userId = '' }: Scope): string {
  const organization = pg.escapeLiteral(organizationId);
  const user = pg.escapeLiteral(userId);
  return `begin; select set_config('parley.organization', ${organization}, true), set_config('parley.user', ${user}, true)`;
}

/** A connection that can't even roll back must not go back to the pool. */
async function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
