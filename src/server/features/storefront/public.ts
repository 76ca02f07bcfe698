import type { Offer } from '../../../contract/product.ts';
import { organizationOf, type Agent } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { pageOf, type Page } from './page/page.ts';
import { findPublished } from './store.ts';

/** What of an agent is for sale. */
export type OffersOf = (tx: Tx, agent: Agent) => Promise<{ offers: Offer[]; isTestMode: boolean }>;

interface Asked {
  handle: string;
  /** Of the reader, by which prices are written. */
  locale: string;
  origin: string;
}

/** The page of a published storefront of a public agent; undefined for all else. */
export async function publicPage(
  db: Database,
  offersOf: OffersOf,
  { handle, locale, origin }: Asked,
): Promise<Page | undefined> {
  if (!/^[\w-]{1,64}$/.test(handle)) return undefined;
  const organizationId = await organizationOf(db, 'handle', handle).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (organizationId === undefined) return undefined;
  return db.in({ organizationId }, async (tx) => {
    const found = await findPublished(tx, organizationId, handle);
    return found && pageOf({ ...found, ...(await offersOf(tx, found.agent)), origin, locale });
  });
}
