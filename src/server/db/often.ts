import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { isUndoneByOthers } from './errors.ts';
import { PreparedStatements } from './prepared.ts';
import type { Database } from './scope.ts';
import { settings, type Scope } from './settings.ts';
import { filled, writtenOut, type Filled } from './shape.ts';

type Statement = SQL | Filled;
export type Split = Filled & { split: NonNullable<Filled['split']> };
type Row = Record<string, unknown>;

/** Rows of a transaction that is still in progress. */
export interface Early<R = Row> {
  rows: R[];
  /** The rows of the writing statement once it is committed: the second one of a split statement, else `rows`. */
  committed: Promise<R[]>;
}

export interface OftenOnes {
  often: Database['often'];
  oftenEarly: (scope: Scope, statement: Statement) => Promise<Early>;
  /** Returns the rows of the reading statement while the writing one is still running. */
  splitEarly: (scope: Scope, statement: Split) => Promise<Early>;
  /** Several in one message, which is one transaction; returns their rows, statement by statement. */
  allOften: (organizationId: string, statements: Statement[]) => Promise<Row[][]>;
}

/** Writes a message to the database; statements the connection already knows aren't prepared again. */
type Write = (client: pg.PoolClient) => string;

const commit: Write = () => 'commit';

/** Frequent statements: planned once per connection, and sent together with the rest of their transaction. */
export function oftenOver(connect: () => Promise<pg.PoolClient>, once: Database['once']): OftenOnes {
  const prepared = new PreparedStatements();

  const write =
    (statement: Statement): Write =>
    (client) =>
      prepared.isPossible ? prepared.textFor(client, filled(statement)) : writtenOut(statement);

  /** The statements of one message form a transaction, unless it explicitly begins a longer one. */
  const scoped =
    (scope: Scope, ...statements: Statement[]): Write =>
    (client) =>
      [settings(scope, planned), ...statements].map((statement) => write(statement)(client)).join('; ');

  const begin =
    (scope: Scope, statement: Statement): Write =>
    (client) =>
      `begin; ${scoped(scope, statement)(client)}`;

  const transaction = async (scope: Scope, statement: Statement, messages: Write[]): Promise<Early> => {
    const unprepared = async () => {
      const rows = await once<Row>(scope, statement);
      return { rows, committed: Promise.resolve(rows) };
    };
    if (!prepared.isPossible) return unprepared();
    try {
      const { first, all } = await sendOver(await connect(), messages);
      const committed = all.then((results) => rowsOf(results.at(messages.at(-1) === commit ? -2 : -1)));
      committed.catch((error: unknown) => prepared.failedFor(error));
      return { rows: rowsOf(first), committed };
    } catch (error) {
      if (prepared.failedFor(error) || isUndoneByOthers(error)) return unprepared();
      throw error;
    }
  };

  return {
    often: async <R extends Row>(scope: Scope, statement: Statement) => {
      const { rows } = await transaction(scope, statement, [scoped(scope, statement)]);
      return rows as R[];
    },
    oftenEarly: (scope, statement) => transaction(scope, statement, [begin(scope, statement), commit]),
    splitEarly: (scope, statement) => {
      const { split } = statement;
      return transaction(scope, statement, [begin(scope, split.read), write(split.write), commit]);
    },
    allOften: async (organizationId, statements) => {
      const { first } = await sendOver(await connect(), [scoped({ organizationId }, ...statements)]);
      const all = first.filter(({ command }) => command !== 'PREPARE').map(({ rows }) => rows as Row[]);
      return all.slice(-statements.length);
    },
  };
}

interface Answered {
  /** The results of the first message. */
  first: pg.QueryResult[];
  /** The results of every message; rejects if one was refused, which rolls the transaction back. */
  all: Promise<pg.QueryResult[][]>;
}

/**
 * Sends the messages of a transaction in one packet and releases the connection when it is over. PostgreSQL answers each
 * message before it starts the next.
 */
async function sendOver(client: pg.PoolClient, messages: Write[]): Promise<Answered> {
  const { stream } = client.connection;
  stream.cork();
  const answers = messages.map((message) => Promise.try(() => resultsOf(client, message(client))));
  stream.uncork();
  const all = Promise.all(answers);
  // Callers that need it await it.
  all.catch(() => undefined);
  void Promise.allSettled(answers).then((outcomes) => {
    const failed = outcomes.find(({ status }) => status === 'rejected');
    // After an error it is unclear which statements the connection has prepared, so it is closed.
    client.release(failed && failed.status === 'rejected' ? asError(failed.reason) : undefined);
  });
  const [first = Promise.resolve([])] = answers;
  return { first: await first, all };
}

/** The rows of the last statement of a message. */
function rowsOf(results: pg.QueryResult[] = []): Row[] {
  return (results.at(-1)?.rows ?? []) as Row[];
}

/**
 * A cached plan was usually made while its tables were small, and a connection keeps it until something tells it that
 * they have grown. So it is planned once, for any values, with index scans, which stop once enough is found: a bitmap
 * scan would read all of a conversation to find its last message. A person looked up may be one of a few; PostgreSQL
 * would scan a small table sequentially for them, and keep doing so when it is large.
 */
const planned = `concat(set_config('plan_cache_mode', 'force_generic_plan', true), ${[
  'bitmapscan',
  'hashjoin',
  'mergejoin',
  'seqscan',
]
  .map((way) => `set_config('enable_${way}', 'off', true)`)
  .join(', ')})`;

/** The result of each statement of a message. The message is a transaction, and settings made in it end with it. */
export async function resultsOf(client: pg.Pool | pg.PoolClient, text: string): Promise<pg.QueryResult[]> {
  // A single statement has one result, several have an array.
  const results: pg.QueryResult | pg.QueryResult[] = await client.query(text);
  return [results].flat();
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
