import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/**
 * What every transaction of one request does in the message of its commit: whoever finds that afterwards knows that something was
 * done, even if nobody heard of the commit.
 */
export interface Mark {
  /** A statement whose values are literals; it does nothing in a transaction that has changed nothing. */
  statement: string;
  /** The request has ended: what it left running is no part of it. */
  isOver: boolean;
  /** A commit was sent and not answered: it may have happened. */
  isUncertain: boolean;
}

const marks = new AsyncLocalStorage<Mark>();

/** Runs `work`, with `mark` in each of its transactions. */
export async function marking<T>(mark: Mark, work: () => Promise<T>): Promise<T> {
  try {
    return await marks.run(mark, work);
  } finally {
    mark.isOver = true;
  }
}

/** Commits, with the mark of the request there is. */
export async function commit(client: pg.PoolClient): Promise<void> {
  const mark = marks.getStore();
  if (!mark || mark.isOver) {
    await client.query('commit');
    return;
  }
  try {
    await client.query(`${mark.statement}; commit`);
  } catch (error) {
    // Anything but a refusal: the commit may have been done before the line or the server went away.
    if (!(error instanceof pg.DatabaseError && error.severity === 'ERROR')) mark.isUncertain = true;
    throw error;
  }
}
