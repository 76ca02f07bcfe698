import { sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { isReadOnly, isUnanswered, isUndoneByOthers } from './errors.ts';
import { commit } from './mark.ts';
import { oftenOver, resultsOf, type Early } from './often.ts';
import { settings, type Scope } from './settings.ts';
import { writtenOut, type Filled } from './shape.ts';
import { together } from './together.ts';

/** The target of all SQL: a transaction that is already scoped. */
export type Tx = NodePgDatabase & { $client: pg.PoolClient };

/** Runs one statement, in a transaction or as its own. */
export type Run = <Row extends Record<string, unknown>>(statement: SQL | Filled) => Promise<Row[]>;

export function runIn(tx: Tx): Run {
  return async <Row>(statement: SQL | Filled) => {
    if (!('text' in statement)) return (await tx.execute(statement)).rows as Row[];
    return (await tx.$client.query(statement.text, statement.values)).rows as Row[];
  };
}

/** From here on the transaction acts for this organization: for work that only learns along the way which one it is. */
export async function speakFor(tx: Tx, organizationId: string): Promise<void> {
  await tx.execute(sql`select set_config('parley.organization', ${organizationId}, true)`);
}

export interface Database {
  /** Runs `work` in a transaction with that scope; it is committed before this resolves, rolled back if `work` throws. */
  in: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** The same for read-only work that may be started twice: on a replica, if there is one (`replica.ts`). */
  reading: Database['in'];
  /**
   * The same as `in` for work on everything that an organization, an agent or a knowledge item has: with the time
   * limits of background work, and on its connections.
   */
  lengthy: Database['in'];
  /**
   * One statement as its own transaction in that scope, in a single round trip. Its values are inlined as literals, so
   * it is for frequent statements, made by code that knows their types.
   */
  once: <Row extends Record<string, unknown>>(scope: Scope, statement: SQL | Filled) => Promise<Row[]>;
  /** The same for a large statement of a fixed shape, which is planned once per connection. */
  often: <Row extends Record<string, unknown>>(scope: Scope, statement: SQL | Filled) => Promise<Row[]>;
  /**
   * The same for concurrent statements of one organization: run in one transaction with whatever else is asked at the
   * time (`together.ts`). While many are asked, `early` ones go first, so this is for what nobody waits for.
   */
  together: <Row extends Record<string, unknown>>(
    organizationId: string,
    statement: SQL | Filled,
  ) => Promise<Row[]>;
  /**
   * The same, for callers that can use the rows before they are on disk: a commit takes as long as the disk does. The
   * rows of a `split` statement may even arrive while it is still writing. Nothing may be revealed about the rows, nor
   * depend on them elsewhere, until `committed` resolves; if it rejects, nothing was done, or the outcome is unknown.
   */
  early: <Row extends Record<string, unknown>>(
    organizationId: string,
    statement: SQL | Filled,
  ) => Promise<Early<Row>>;
  /** Single statements outside every organization: people, sessions, keys. They can't see organizations' rows. */
  unscoped: NodePgDatabase;
  /** The owner's connections, not bound by row-level security: migrations, jobs, maintenance. Never for requests' data. */
  owner: pg.Pool;
  /** The same for work that someone waits for, with the timeouts of requests. */
  boundedOwner: pg.Pool;
}

/** Notified of each wait for a connection, and of its end. */
export interface Waits {
  wait: () => () => void;
}

interface Extras {
  waits?: Waits | undefined;
  /** For lengthy work; these, unless given. */
  background?: pg.Pool | undefined;
  /** Where reads run instead of here. */
  readingOver?: ((here: Database['reading']) => Database['reading']) | undefined;
}

export function createDatabase(
  app: pg.Pool,
  owners: Pick<Database, 'owner' | 'boundedOwner'>,
  { waits, background = app, readingOver }: Extras = {},
): Database {
  const connect = async (): Promise<pg.PoolClient> => {
    const over = waits?.wait();
    return app.connect().finally(over);
  };
  const reading = transactionsOver(connect, 'begin read only');
  const once = async <Row>(scope: Scope, statement: SQL | Filled) => {
    const run = () => resultsOf(app, `${writtenOut(settings(scope))}; ${writtenOut(statement)}`);
    // The transaction consists of this statement alone, so none of it was done.
    const results = await run().catch((error: unknown) => {
      if (isUndoneByOthers(error)) return run();
      throw error;
    });
    return (results.at(-1)?.rows ?? []) as Row[];
  };
  const oftenOnes = oftenOver(connect, once);
  const askTogether = together(oftenOnes);
  return {
    ...owners,
    unscoped: drizzle({ client: app }),
    once,
    often: oftenOnes.often,
    together: async <Row extends Record<string, unknown>>(
      organizationId: string,
      statement: SQL | Filled,
    ) => {
      const { rows, committed } = await askTogether<Row>(organizationId, statement, { isEarly: false });
      await committed;
      return rows;
    },
    early: (organizationId, statement) => askTogether(organizationId, statement, { isEarly: true }),
    in: transactionsOver(connect),
    // Someone is told about it, unlike about other background work.
    lengthy: transactionsOver(() => background.connect(), 'begin; set local synchronous_commit = on'),
    reading: readingOver?.(reading) ?? reading,
  };
}

/** Scoped transactions on these connections. `begin`: the statement that starts them. */
export function transactionsOver(connect: () => Promise<pg.PoolClient>, begin = 'begin'): Database['in'] {
  // One round trip: the transaction and its scope, which ends with it.
  return (scope, work) =>
    transaction(connect, `${begin}; ${writtenOut(settings(scope))}`, (client) => work(drizzle({ client })));
}

/**
 * One transaction: committed before this resolves, rolled back if `work` throws. Its first statement is sent along with
 * its opening, which must be a `begin` and any settings: if one of these fails, PostgreSQL rejects what follows.
 */
export async function transaction<T>(
  connect: () => Promise<pg.PoolClient>,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect();
  let broken: Error | undefined;
  try {
    const begun = client.query(begin);
    begun.catch(() => undefined);
    const result = await work(client).finally(() => begun);
    await commit(client);
    return result;
  } catch (error) {
    broken = await rollBack(client, error);
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * A connection that can't even roll back must not return to the pool; an unresponsive one isn't asked to. Nor must one
 * that can't write return: the next one leads to the database that has taken its place.
 */
async function rollBack(client: pg.PoolClient, failure: unknown): Promise<Error | undefined> {
  if (isUnanswered(failure) || isReadOnly(failure)) return failure as Error;
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
