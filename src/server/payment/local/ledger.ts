import type pg from 'pg';
import { inTransaction } from '../../db/as-owner.ts';
import { Books } from './books.ts';

/** Held by the writer. The number only has to be unique to us. */
const WRITING_LOCK = 7_210_006;

/** Transactions on the books. One writer at a time across all processes: order matters here, speed doesn't. */
export interface Ledger {
  write: <T>(account: string, work: (books: Books) => Promise<T>) => Promise<T>;
  read: <T>(account: string, work: (books: Books) => Promise<T>) => Promise<T>;
  pool: pg.Pool;
}

export function openLedger(pool: pg.Pool, onWritten: () => void): Ledger {
  const transact = <T>(begin: string, account: string, work: (books: Books) => Promise<T>) =>
    inTransaction(pool, async (client) => work(new Books(client, account, await readClock(client))), begin);
  return {
    pool,
    read: (account, work) => transact('begin read only', account, work),
    write: async (account, work) => {
      const begin = `begin; select pg_advisory_xact_lock(${WRITING_LOCK})`;
      const result = await transact(begin, account, work);
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
