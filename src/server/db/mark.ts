import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/**
 * Sent by every transaction of a request in the same message as its commit: finding it later proves that something was
 * done, even if the commit's response was lost.
 */
export interface Mark {
  /** A statement with literal values; it has no effect in a transaction that has changed nothing. */
  statement: string;
  /** The request has ended: work it left running isn't part of it. */
  isOver: boolean;
  /** A commit was sent without a response: it may have happened. */
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

/** Commits, with the current request's mark. */
export async function commit(client: pg.PoolClient): Promise<void> {
  const mark = marks.getStore();
  if (!mark || mark.isOver) {
    await client.query('commit');
    return;
  }
  try {
    await client.query(`${mark.statement}; commit`);
  } catch (error) {
    // Anything but a rejection: the commit may have happened before the connection or the server went away.
    if (!(error instanceof pg.DatabaseError && error.severity === 'ERROR')) mark.isUncertain = true;
    throw error;
  }
}
