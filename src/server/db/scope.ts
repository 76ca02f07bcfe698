import { sql, type SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { isUnanswered, isUndoneByOthers } from './errors.ts';
import { commit } from './mark.ts';
import { literal } from './literal.ts';
import { PreparedStatements } from './prepared.ts';
import { filled, writtenOut, type Filled } from './shape.ts';
import { together, type RunAll } from './together.ts';

/** What SQL is written against: a transaction that is already scoped. */
export type Tx = NodePgDatabase & { $client: pg.PoolClient };

/**
 * For whom a transaction speaks. Without an organization no row of any organization can be read or written; with a
 * user alone, only that user's own memberships, organizations and conversations can be read.
 */
export interface Scope {
  organizationId?: string;
  /** In place of an organization: that of this conversation; none when it does not exist. */
  conversationId?: string;
  userId?: string;
}

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
    const run = () => inOneMessage(app, `${settings(scope)}; ${writtenOut(statement)}`);
    // It is nothing but this statement, so nothing was done of it.
    return (await run().catch((error: unknown) => {
      if (isUndoneByOthers(error)) return run();
      throw error;
    })) as Row[];
  };
  const { often, runAll } = oftenOver(connect, once);
  return {
    ...owners,
    unscoped: drizzle({ client: app }),
    once,
    often,
    together: together(runAll, often),
    in: transactionsOver(connect),
    reading: readingOver?.(reading) ?? reading,
  };
}

/** Transactions of a scope on these connections. `begin`: how they are begun. */
export function transactionsOver(connect: () => Promise<pg.PoolClient>, begin = 'begin'): Database['in'] {
  // One round trip: the transaction and its scope, which ends with it.
  return (scope, work) =>
    transaction(connect, `${begin}; ${settings(scope)}`, (client) => work(drizzle({ client })));
}

/** One transaction: committed before this resolves, undone when `work` throws. */
export async function transaction<T>(
  connect: () => Promise<pg.PoolClient>,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await commit(client);
    return result;
  } catch (error) {
    broken = await rollBack(client, error);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Several statements in one message are one transaction, which sees and then forgets the settings. */
async function inOneMessage(client: pg.Pool | pg.PoolClient, text: string): Promise<unknown[]> {
  return (await resultsOf(client, text)).at(-1)?.rows ?? [];
}

async function resultsOf(client: pg.Pool | pg.PoolClient, text: string): Promise<pg.QueryResult[]> {
  return (await client.query(text)) as unknown as pg.QueryResult[];
}

function oftenOver(
  connect: () => Promise<pg.PoolClient>,
  once: Database['once'],
): { often: Database['often']; runAll: RunAll } {
  const prepared = new PreparedStatements();
  /** What is refused leaves no connection behind: what it has prepared is not certain any more. */
  const over = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  };
  return {
    often: async <Row extends Record<string, unknown>>(
      scope: Scope,
      statement: SQL | Filled,
    ): Promise<Row[]> => {
      if (!prepared.isPossible) return once(scope, statement);
      const run = (client: pg.PoolClient) =>
        inOneMessage(
          client,
          `${settings(scope)}, ${plannedToLast}; ${prepared.textFor(client, filled(statement))}`,
        );
      return (await over(run).catch((error: unknown) => {
        if (prepared.failedFor(error) || isUndoneByOthers(error)) return once(scope, statement);
        throw error;
      })) as Row[];
    },
    runAll: (organizationId, statements) =>
      over(async (client) => {
        const texts = statements.map((statement) =>
          prepared.isPossible ? prepared.textFor(client, filled(statement)) : writtenOut(statement),
        );
        const results = await resultsOf(
          client,
          [`${settings({ organizationId })}, ${plannedToLast}, ${plannedForFew}`, ...texts].join('; '),
        );
        const rows = results.filter(({ command }) => command !== 'PREPARE').map(({ rows: each }) => each);
        return rows.slice(1) as Record<string, unknown>[][];
      }),
  };
}

/**
 * A plan that is kept was mostly made when its tables were small, and a connection keeps it for as long as nothing tells it that they
 * have grown. So it is made once, for any values, and of scans of an index that end where enough was found: a bitmap would read all of
 * a conversation to find its last message.
 */
const plannedToLast = `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_bitmapscan', 'off', true)`;

/**
 * Whoever is asked for in one statement is one of a few; PostgreSQL takes them for a hundred, and would read a small table from end to end
 * to find them in it.
 */
const plannedForFew = ['hashjoin', 'mergejoin', 'seqscan']
  .map((way) => `set_config('enable_${way}', 'off', true)`)
  .join(', ');

function settings({ organizationId = '', conversationId, userId = '' }: Scope): string {
  const organization =
    conversationId === undefined
      ? literal(organizationId)
      : `coalesce(organization_of_conversation(${literal(conversationId)}), '')`;
  const user = literal(userId);
  return `select set_config('parley.organization', ${organization}, true), set_config('parley.user', ${user}, true)`;
}

/** A connection that can't even roll back must not go back to the pool; one that does not answer is not asked to. */
export async function rollBack(client: pg.PoolClient, failure: unknown): Promise<Error | undefined> {
  if (isUnanswered(failure)) return failure as Error;
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
