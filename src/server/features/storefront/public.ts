import { organizationOf } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { listForSale } from '../product/store.ts';
import { pageOf, type Page } from './page/page.ts';
import { findPublished } from './store.ts';

interface Asked {
  handle: string;
  /** The reader's; determines how prices are formatted. */
  locale: string;
  origin: string;
}

/** The page of a published storefront of a public agent; undefined otherwise. */
export async function publicPage(
  { db, payments: { isTestMode } }: Pick<Deps, 'db' | 'payments'>,
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
    if (!found) return undefined;
    const offers = await listForSale(tx, organizationId, found.agent.id);
    return pageOf({ ...found, offers, isTestMode, origin, locale });
  });
}
