import { and, desc, eq, lt, ne, sql } from 'drizzle-orm';
import { payment, purchase, user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { holdsAll, wordsOf } from '../../db/words.ts';
import type { StoredPurchase } from './purchase-store.ts';

interface AgentKey {
  organizationId: string;
  agentId: string;
}

type Totals = { currency: string; paid: number; refunded: number; fee: number; paidBefore: number };

/** The start of the last so many days, today included. Days are in UTC. */
const beginOf = (days: number) =>
  sql`(date_trunc('day', now(), 'UTC') - make_interval(days => ${days - 1}::int))`;

/** For the last so many days, and for as many before them, up to the same time of day. */
export async function readTotals(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  days: number,
): Promise<Totals[]> {
  const { rows } = await tx.execute<Totals>(sql`
    with mine as (
      select currency, amount, refunded, fee, paid_at >= ${beginOf(days)} as "isNow" from ${payment}
       where organization_id = ${organizationId} and agent_id = ${agentId}
         and (paid_at >= ${beginOf(days)}
           or paid_at >= ${beginOf(days * 2)} and paid_at <= now() - make_interval(days => ${days}::int)))
    select currency, coalesce(sum(amount) filter (where "isNow"), 0)::float8 as paid,
        coalesce(sum(refunded) filter (where "isNow"), 0)::float8 as refunded,
        coalesce(sum(fee) filter (where "isNow"), 0)::float8 as fee,
        coalesce(sum(amount) filter (where not "isNow"), 0)::float8 as "paidBefore"
      from mine group by currency order by paid desc, currency`);
  return rows;
}

/** By day in UTC, oldest first; days without payments are left out. */
export async function readDays(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  days: number,
): Promise<{ day: string; currency: string; paid: number }[]> {
  const { rows } = await tx.execute<{ day: string; currency: string; paid: number }>(sql`
    select to_char(paid_at at time zone 'UTC', 'YYYY-MM-DD') as day, currency, sum(amount)::float8 as paid from ${payment}
     where organization_id = ${organizationId} and agent_id = ${agentId}
       and paid_at >= ${beginOf(days)}
     group by 1, 2 order by 1, 2`);
  return rows;
}

/** Purchases, newest first, without those begun but not paid. */
export async function listBought(
  tx: Tx,
  { organizationId, agentId }: AgentKey,
  { count, before, search }: { count: number; before: string | undefined; search: string | undefined },
): Promise<{ purchase: StoredPurchase; buyer: string }[]> {
  const rows = await tx
    .select({ purchase, buyer: user.name })
    .from(purchase)
    .leftJoin(user, eq(user.id, purchase.userId))
    .where(
      and(
        eq(purchase.organizationId, organizationId),
        eq(purchase.agentId, agentId),
        ne(purchase.state, 'pending'),
        ne(purchase.state, 'expired'),
        search ? holdsAll(sql`concat_ws(' ', ${user.name}, ${purchase.name})`, wordsOf(search)) : undefined,
        before === undefined ? undefined : lt(purchase.id, before),
      ),
    )
    .orderBy(desc(purchase.id))
    .limit(count);
  return rows.map((row) => ({ ...row, buyer: row.buyer ?? '' }));
}
