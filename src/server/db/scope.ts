import { sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { isReadOnly, isUnanswered, isUndoneByOthers } from './errors.ts';
import { commit } from './mark.ts';
import { oftenOver, resultsOf, type Early } from './often.ts';
import { settings, type Scope } from './settings.ts';
import { writtenOut, type Filled } from './shape.ts';
import { together } from './together.ts';

/** What SQL is written against: a transaction that is already scoped. */
export type Tx = NodePgDatabase & { $client: pg.PoolClient };

/** Runs one statement, in a transaction or as one of its own. */
export type Run = <Row extends Record<string, unknown>>(statement: SQL | Filled) => Promise<Row[]>;

export function runIn(tx: Tx): Run {
  return async <Row>(statement: SQL | Filled) => {
    if (!('text' in statement)) return (await tx.execute(statement)).rows as Row[];
    return (await tx.$client.query(statement.text, statement.values)).rows as Row[];
  };
}

/** From here on the transaction speaks for this organization: for work that learns whose it is only on the way. */
export async function speakFor(tx: Tx, organizationId: string): Promise<void> {
  await tx.execute(sql`select set_config('parley.organization', ${organizationId}, true)`);
}

export interface Database {
  /** Runs `work` in one transaction of that scope; it is committed before this resolves, undone when `work` throws. */
  in: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** The same for work that can only read, and that may be begun twice: on a replica where there is one (`replica.ts`). */
  reading: Database['in'];
  /**
   * One statement as a transaction of its own in that scope, in a single round trip. Its values are written into it as
   * literals, so it is for statements that are made often, by code that knows their kinds.
   */
  once: <Row extends Record<string, unknown>>(scope: Scope, statement: SQL | Filled) => Promise<Row[]>;
  /** The same for a large statement of one shape, which is planned once a connection. */
  often: <Row extends Record<string, unknown>>(scope: Scope, statement: SQL | Filled) => Promise<Row[]>;
  /** The same for what many ask at once of one organization: in one transaction with what else is asked then (`together.ts`). */
  together: <Row extends Record<string, unknown>>(
    organizationId: string,
    statement: SQL | Filled,
  ) => Promise<Row[]>;
  /**
   * The same, for a caller that can use the rows before they are on disk, since a commit takes as long as the disk does. Of a statement that
   * is `split` the caller may get what it reads while it still writes. Nothing may be told of the rows, nor anything else be stored that rests on
   * them, until `committed` resolves; when it rejects, nothing was done, or it isn't known.
   */
  early: <Row extends Record<string, unknown>>(
    organizationId: string,
    statement: SQL | Filled,
  ) => Promise<Early<Row>>;
  /** Single statements outside every organization: people, sessions, keys. Rows of organizations are not visible to them. */
  unscoped: NodePgDatabase;
  /** The connections of the owner, whom row-level security does not bind: migrations, jobs, upkeep. No request's data. */
  owner: pg.Pool;
  /** The same for what somebody waits for, with the limits of requests. */
  boundedOwner: pg.Pool;
}

/** Hears who waits for a connection, and until when. */
export interface Waits {
  wait: () => () => void;
}

interface Extras {
  waits?: Waits | undefined;
  /** Where readings are done, in place of here. */
  readingOver?: ((here: Database['reading']) => Database['reading']) | undefined;
}

export function createDatabase(
  app: pg.Pool,
  owners: Pick<Database, 'owner' | 'boundedOwner'>,
  { waits, readingOver }: Extras = {},
): Database {
  const connect = async (): Promise<pg.PoolClient> => {
    const over = waits?.wait();
    return app.connect().finally(over);
  };
  const reading = transactionsOver(connect, 'begin read only');
  const once = async <Row>(scope: Scope, statement: SQL | Filled) => {
    const run = () => resultsOf(app, `${writtenOut(settings(scope))}; ${writtenOut(statement)}`);
    // It is nothing but this statement, so nothing was done of it.
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
    reading: readingOver?.(reading) ?? reading,
  };
}

/** Transactions of a scope on these connections. `begin`: how they are begun. */
export function transactionsOver(connect: () => Promise<pg.PoolClient>, begin = 'begin'): Database['in'] {
  // One round trip: the transaction and its scope, which ends with it.
  return (scope, work) =>
    transaction(connect, `${begin}; ${writtenOut(settings(scope))}`, (client) => work(drizzle({ client })));
}

/**
 * One transaction: committed before this resolves, undone when `work` throws. Its first statement goes along with its beginning,
 * which must be a `begin` and whatever settings: after one of these that fails PostgreSQL refuses what comes.
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
 * A connection that can't even roll back must not go back to the pool; one that does not answer is not asked to. Nor does one go back to
 * which nothing can be written: the next leads to the database that has taken its place.
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
