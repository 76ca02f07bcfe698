import { setImmediate as nextRound } from 'node:timers/promises';
import type { SQL } from 'drizzle-orm';
import pg from 'pg';
import type { Database } from './scope.ts';
import type { Filled } from './shape.ts';

/** More statements than these in one message would make the first of them wait for the last. */
const TOGETHER_MAX = 16;

type Rows = Record<string, unknown>[];

interface Asked {
  statement: SQL | Filled;
  resolve: (rows: Rows) => void;
  reject: (error: unknown) => void;
}

/** Runs statements of one organization in one message, which is one transaction; their rows, statement by statement. */
export type RunAll = (organizationId: string, statements: (SQL | Filled)[]) => Promise<Rows[]>;

/**
 * Statements of an organization that come while others of it are under way wait for these and then go together: one round trip,
 * one commit for all, and nobody waits for a row that another of them holds (its credits, above all). Each is done or fails by
 * itself: what PostgreSQL refuses together was not done, and is done again one by one.
 */
export function together(runAll: RunAll, often: Database['often']): Database['together'] {
  const waiting = new Map<string, Asked[]>();

  const alone = async (organizationId: string, { statement, resolve, reject }: Asked): Promise<void> => {
    await often({ organizationId }, statement).then(resolve, reject);
  };

  const run = async (organizationId: string, asked: Asked[]): Promise<void> => {
    const [only] = asked;
    if (only && asked.length === 1) return alone(organizationId, only);
    let rows: Rows[];
    try {
      rows = await runAll(
        organizationId,
        asked.map(({ statement }) => statement),
      );
    } catch (error) {
      const isRefused = error instanceof pg.DatabaseError && error.severity === 'ERROR';
      if (isRefused) for (const each of asked) await alone(organizationId, each);
      else for (const { reject } of asked) reject(error);
      return;
    }
    void hand(asked, rows);
  };

  const work = async (organizationId: string): Promise<void> => {
    // Those who ask in the same moment are all here before the first goes.
    await Promise.resolve();
    for (let asked = waiting.get(organizationId); asked?.length; asked = waiting.get(organizationId))
      await run(organizationId, asked.splice(0, TOGETHER_MAX));
    waiting.delete(organizationId);
  };

  return <Row extends Record<string, unknown>>(organizationId: string, statement: SQL | Filled) =>
    new Promise<Row[]>((resolve, reject) => {
      const asked: Asked = { statement, resolve: (rows) => resolve(rows as Row[]), reject };
      const others = waiting.get(organizationId);
      if (others) return void others.push(asked);
      waiting.set(organizationId, [asked]);
      return void work(organizationId);
    });
}

/** One after the other: the first goes on as far as it comes before the next is looked at, so that not all are as late as the last. */
async function hand(asked: Asked[], rows: Rows[]): Promise<void> {
  for (const [index, { resolve }] of asked.entries()) {
    resolve(rows[index] ?? []);
    await nextRound();
  }
}
