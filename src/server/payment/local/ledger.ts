import type pg from 'pg';
import { Books } from './books.ts';

/** Held by whoever writes. The number only has to be ours. */
const WRITING_LOCK = 7_210_006;

/** Transactions on the books. One writer at a time, over all processes: nothing here is about speed, all about order. */
export interface Ledger {
  write: <T>(account: string, work: (books: Books) => Promise<T>) => Promise<T>;
  read: <T>(account: string, work: (books: Books) => Promise<T>) => Promise<T>;
  pool: pg.Pool;
}

export function openLedger(pool: pg.Pool, onWritten: () => void): Ledger {
  const inTransaction = async <T>(begin: string, account: string, work: (books: Books) => Promise<T>) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(new Books(client, account, await readClock(client)));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => (broken = lost));
      throw error;
    } finally {
      client.release(broken);
    }
  };
  return {
    pool,
    read: (account, work) => inTransaction('begin read only', account, work),
    write: async (account, work) => {
      const begin = `begin; select pg_advisory_xact_lock(${WRITING_LOCK})`;
      const result = await inTransaction(begin, account, work);
      onWritten();
      return result;
    },
  };
}

async function readClock(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ value: string }>(
    `select value from payment_local.setting where name = 'clock_ahead_seconds'`,
  );
  return Math.floor(Date.now() / 1000) + Number(rows[0]?.value ?? 0);
}

export async function setClock(client: pg.PoolClient, now: number): Promise<void> {
  await client.query(
    `insert into payment_local.setting (name, value) values ('clock_ahead_seconds', $1)
     on conflict (name) do update set value = excluded.value`,
    [String(now - Math.floor(Date.now() / 1000))],
  );
}
