import type { Route } from '../../contract/route.ts';
import { callerId, type Caller } from '../call.ts';
import { notOurCursor } from '../cursor.ts';
import type { Vault } from '../identity/secrets.ts';

const PURPOSE = 'cursor';
const DAY_MS = 24 * 3600 * 1000;
/** Longer than anybody turns pages. */
const CURSOR_LIFETIME_DAYS = 7;
/** What a page can be asked for with, and the list is still the same. */
const beside = ['cursor', 'count', 'seen'];

/** A list: the call, what it is asked for, and by whom. */
export interface Listing {
  operationId: string;
  route: Pick<Route, 'access' | 'input'>;
  caller: Caller;
  input: Record<string, unknown>;
}

/** What a cursor is bound to. A public list is the same for everybody, also for who signs in between two pages. */
function nameOf({ operationId, route, caller, input }: Listing): string {
  const who = route.access === 'public' || caller.kind === 'anonymous' ? '' : callerId(caller);
  const fields = Object.entries(input).filter(([field]) => !beside.includes(field));
  return JSON.stringify([operationId, who, fields.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

/** A place in a list as its caller holds it: signed, good for this list, for whom it was given, and for a week. */
export function sealCursor(vault: Vault, place: string, listing: Listing): string {
  const day = today();
  return `${place}.${day}.${vault.prove(`${day} ${place} ${nameOf(listing)}`, PURPOSE)}`;
}

/** The place again. Errors: 400 for what `sealCursor` did not make for this list in the last week. */
export function openCursor(vault: Vault, cursor: string, listing: Listing): string {
  const [place = '', day = '', proof = '', ...more] = cursor.split('.');
  const isOurs = vault.proves(`${day} ${place} ${nameOf(listing)}`, PURPOSE, proof);
  if (!isOurs || more.length > 0 || today() - Number(day) > CURSOR_LIFETIME_DAYS) throw notOurCursor();
  return place;
}

/** Does `work`, which knows places, for a caller who knows cursors. */
export async function inPages(
  vault: Vault,
  listing: Listing,
  work: (input: Record<string, unknown>) => Promise<unknown>,
): Promise<unknown> {
  if (!('cursor' in listing.route.input.shape)) return work(listing.input);
  const { cursor } = listing.input as { cursor?: string };
  const input =
    cursor === undefined ? listing.input : { ...listing.input, cursor: openCursor(vault, cursor, listing) };
  const page = (await work(input)) as { nextCursor: string | null };
  if (page.nextCursor === null) return page;
  return { ...page, nextCursor: sealCursor(vault, page.nextCursor, listing) };
}
