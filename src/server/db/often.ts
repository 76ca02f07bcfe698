import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { isUndoneByOthers } from './errors.ts';
import { PreparedStatements } from './prepared.ts';
import type { Database } from './scope.ts';
import { settings, type Scope } from './settings.ts';
import { filled, writtenOut, type Filled } from './shape.ts';

type Statement = SQL | Filled;
type Row = Record<string, unknown>;

/** Rows of a transaction that is being committed. */
export interface Early<R = Row> {
  rows: R[];
  committed: Promise<void>;
}

export interface OftenOnes {
  often: Database['often'];
  oftenEarly: (scope: Scope, statement: Statement) => Promise<Early>;
  /** Several in one message, which is one transaction; their rows, statement by statement. */
  allOften: (organizationId: string, statements: Statement[]) => Promise<Row[][]>;
}

/** The text of a transaction, for a connection: what has been prepared there is not prepared again. */
type Write = (client: pg.PoolClient) => string;

interface Results {
  results: pg.QueryResult[];
  committed: Promise<void>;
}

/** Statements that are made often: planned once a connection, and sent with all that belongs to their transaction in one message. */
export function oftenOver(connect: () => Promise<pg.PoolClient>, once: Database['once']): OftenOnes {
  const prepared = new PreparedStatements();

  const written = (client: pg.PoolClient, statement: Statement): string =>
    prepared.isPossible ? prepared.textFor(client, filled(statement)) : writtenOut(statement);

  const begun = (client: pg.PoolClient, scope: Scope): string => written(client, settings(scope, planned));

  const send = async (write: Write, isEarly: boolean): Promise<Results> =>
    sendOver(await connect(), write, isEarly);

  const one = async (scope: Scope, statement: Statement, isEarly: boolean): Promise<Early> => {
    const unprepared = async () => ({
      rows: await once<Row>(scope, statement),
      committed: Promise.resolve(),
    });
    if (!prepared.isPossible) return unprepared();
    const write: Write = (client) => `${begun(client, scope)}; ${written(client, statement)}`;
    try {
      const { results, committed } = await send(write, isEarly);
      return { rows: results.at(-1)?.rows ?? [], committed };
    } catch (error) {
      if (prepared.failedFor(error) || isUndoneByOthers(error)) return unprepared();
      throw error;
    }
  };

  return {
    often: async <R extends Row>(scope: Scope, statement: Statement) =>
      (await one(scope, statement, false)).rows as R[],
    oftenEarly: (scope, statement) => one(scope, statement, true),
    allOften: async (organizationId, statements) => {
      const write: Write = (client) =>
        [
          begun(client, { organizationId }),
          ...statements.map((statement) => written(client, statement)),
        ].join('; ');
      const { results } = await send(write, false);
      const all = results.filter(({ command }) => command !== 'PREPARE').map(({ rows }) => rows as Row[]);
      return all.slice(-statements.length);
    },
  };
}

/** One transaction; the connection is given back when it is over. */
async function sendOver(client: pg.PoolClient, write: Write, isEarly: boolean): Promise<Results> {
  // In one packet: the rows are sent before the commit is begun.
  const { stream } = client.connection;
  stream.cork();
  const asked = Promise.try(() => resultsOf(client, isEarly ? `begin; ${write(client)}` : write(client)));
  // Undoes what was refused.
  const committed = (isEarly ? client.query('commit') : asked).then(() => undefined);
  stream.uncork();
  // Whoever uses them waits for it.
  committed.catch(() => undefined);
  void Promise.allSettled([asked, committed]).then((outcomes) => {
    const failed = outcomes.find(({ status }) => status === 'rejected');
    // What is refused leaves no connection behind: what it has prepared is not certain any more.
    client.release(failed && failed.status === 'rejected' ? asError(failed.reason) : undefined);
  });
  return { results: await asked, committed };
}

/**
 * A plan that is kept was mostly made when its tables were small, and a connection keeps it for as long as nothing tells it that they
 * have grown. So it is made once, for any values, and of scans of an index that end where enough was found: a bitmap would read all of
 * a conversation to find its last message. Whoever is asked for is one of a few; PostgreSQL would read a small table from end to end to
 * find them, and go on doing so when it is large.
 */
const planned = `concat(set_config('plan_cache_mode', 'force_generic_plan', true), ${[
  'bitmapscan',
  'hashjoin',
  'mergejoin',
  'seqscan',
]
  .map((way) => `set_config('enable_${way}', 'off', true)`)
  .join(', ')})`;

/** Several statements in one message are one transaction, which sees and then forgets the settings. */
export async function resultsOf(client: pg.Pool | pg.PoolClient, text: string): Promise<pg.QueryResult[]> {
  return (await client.query(text)) as unknown as pg.QueryResult[];
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
