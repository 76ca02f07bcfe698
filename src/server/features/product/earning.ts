import { currencies, type Purchase, type earning as contract } from '../../../contract/product.ts';
import { inAgent } from '../../access/gate.ts';
import type { Handlers } from '../../call.ts';
import { decodeCursor, encodeCursor, readId } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import * as store from './earning-store.ts';
import { readPaid } from './paid-store.ts';
import { purchaseOf } from './present.ts';

const DAYS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 } as const;

export function earningHandlers({ db }: Pick<Deps, 'db'>): Handlers<typeof contract> {
  return {
    get: ({ agentId, period, search, cursor, count }, caller) =>
      inAgent(db, caller, agentId, 'agent.read', async (tx, { organizationId }) => {
        const key = { organizationId, agentId };
        const before = decodeCursor(cursor, readId);
        const found = await store.listBought(tx, key, { count: count + 1, before, search });
        const page = found.slice(0, count);
        const last = found.length > count ? page.at(-1) : undefined;
        const purchases = page.map(({ purchase }) => purchase);
        const paidFor = await readPaid(tx, organizationId, purchases);
        return {
          totals: (await store.readTotals(tx, key, DAYS[period])).flatMap(inKnownCurrency),
          days: (await store.readDays(tx, key, DAYS[period])).flatMap(inKnownCurrency),
          purchases: page.map(({ purchase, buyer }) => ({
            ...purchaseOf(purchase),
            ...paidFor(purchase),
            buyer,
          })),
          nextCursor: last ? encodeCursor([last.purchase.id]) : null,
        };
      }),
  };
}

type Currency = NonNullable<Purchase['currency']>;

function inKnownCurrency<T extends { currency: string }>(row: T): (T & { currency: Currency })[] {
  const currency = currencies.find((known) => known === row.currency);
  return currency ? [{ ...row, currency }] : [];
}
