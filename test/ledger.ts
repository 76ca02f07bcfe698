import { expect } from 'vitest';
import type { Product } from './product.ts';

/** The sum of an agent's entitlement entries, by account. */
export async function readLedger(product: Product, agentId: string): Promise<Record<string, number>> {
  const { rows } = await product.app.deps.db.owner.query<{ account: string; amount: number }>(
    `select l.account, sum(l.amount)::int as amount from ledger_entry l join entitlement e on e.id = l.entitlement_id
      where e.agent_id = $1 group by 1`,
    [agentId],
  );
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
}

/** What must hold for every ledger at any moment: each transaction sums to zero, and each balance is the sum of its entries. */
export async function requireSoundLedgers(product: Product): Promise<void> {
  const { owner } = product.app.deps.db;
  const uneven = await owner.query(
    'select transaction_id from ledger_entry group by 1 having sum(amount) <> 0 or count(*) <> 2',
  );
  expect(uneven.rows).toEqual([]);
  const unbalanced = await owner.query(
    `select e.id from entitlement e left join ledger_entry l on l.entitlement_id = e.id group by e.id
      having e.credits_left <> coalesce(sum(l.amount) filter (where l.account = 'left'), 0)
          or e.credits_held <> coalesce(sum(l.amount) filter (where l.account = 'held'), 0)
          or e.credits_left < 0 or e.credits_held < 0`,
  );
  expect(unbalanced.rows).toEqual([]);
}
