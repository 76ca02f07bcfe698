import type { Route } from '../../contract/route.ts';
import { callerId, type Caller } from '../call.ts';
import { notOurCursor } from '../cursor.ts';
import type { Vault } from '../identity/secrets.ts';

const PURPOSE = 'cursor';
const DAY_MS = 24 * 3600 * 1000;
/** Longer than anyone pages through a list. */
const CURSOR_LIFETIME_DAYS = 7;
/** Parameters of a page that don't change the list. */
const beside = ['cursor', 'count', 'seen'];

/** A list: the call, its input, and the caller. */
export interface Listing {
  operationId: string;
  route: Pick<Route, 'access' | 'input'>;
  caller: Caller;
  input: Record<string, unknown>;
}

/** What a cursor is bound to. A public list is the same for everybody, even for a person who signs in between two pages. */
function nameOf({ operationId, route, caller, input }: Listing): string {
  const who = route.access === 'public' || caller.kind === 'anonymous' ? '' : callerId(caller);
  const fields = Object.entries(input).filter(([field]) => !beside.includes(field));
  return JSON.stringify([operationId, who, fields.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

/** A position in a list as the caller holds it: signed, and valid for a week, for this list and this caller. */
export function sealCursor(vault: Vault, place: string, listing: Listing): string {
  const day = today();
  return `${place}.${day}.${vault.prove(`${day} ${place} ${nameOf(listing)}`, PURPOSE)}`;
}

/** The position again. Errors: 400 for anything `sealCursor` did not make for this list in the last week. */
export function openCursor(vault: Vault, cursor: string, listing: Listing): string {
  const [place = '', day = '', proof = '', ...more] = cursor.split('.');
  const isOurs = vault.proves(`${day} ${place} ${nameOf(listing)}`, PURPOSE, proof);
  if (!isOurs || more.length > 0 || today() - Number(day) > CURSOR_LIFETIME_DAYS) throw notOurCursor();
  return place;
}

/** Runs `work`, which uses positions, for a caller who uses cursors. */
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
