import { PAGE_SIZE_DEFAULT } from '../contract/limits.ts';
import { AppError } from './app-error.ts';

/** A place in a list as a text; what is inside may change at any time. Callers get it signed (`http/pages.ts`). */
export function encodeCursor(place: (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Errors: 400 for anything that `encodeCursor` did not make. */
export function decodeCursor<T>(
  cursor: string | undefined,
  read: (place: unknown) => T | undefined,
): T | undefined {
  if (cursor === undefined) return undefined;
  let place: T | undefined;
  try {
    place = read(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    place = undefined;
  }
  if (place === undefined) throw notOurCursor();
  return place;
}

/** What of a list is asked for: from where on, and how many rows. All of them, as long as nobody asks for a page. */
export interface Part<Place = string> {
  after?: Place | undefined;
  count?: number | undefined;
}

/** Errors: 400 for a cursor that is none of the list. */
export function partOf<Place>(
  asked: { cursor?: string | undefined; count?: number | undefined },
  read: (place: unknown) => Place | undefined,
): Part<Place> {
  const after = decodeCursor(asked.cursor, read);
  return { after, count: asked.count ?? (after === undefined ? undefined : PAGE_SIZE_DEFAULT) };
}

/** So many rows are read of a part: one more than it has tells that the list goes on. */
export function rowsOf({ count }: Part<unknown>): number {
  return count === undefined ? Number.MAX_SAFE_INTEGER : count + 1;
}

/** The rows of a part and where the next begins, from what was read by `rowsOf`. */
export function cutPart<Row>(
  rows: Row[],
  { count }: Part<unknown>,
  placeOf: (row: Row) => (string | number)[],
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, count);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return { rows: page, nextCursor: last ? encodeCursor(placeOf(last)) : null };
}

export function notOurCursor(): AppError {
  const message = 'This cursor is not one of this list in this order.';
  return new AppError('request/invalid', message, { errors: [{ path: 'cursor', message }] });
}

/** As `encodeCursor` is given it: in years that the database has as well. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** A moment and an id. */
export function readMomentAndId(place: unknown): { updatedAt: Date; id: string } | undefined {
  if (!Array.isArray(place) || place.length !== 2) return undefined;
  const [moment, id] = place as unknown[];
  if (typeof moment !== 'string' || typeof id !== 'string') return undefined;
  if (!MOMENT.test(moment) || Number.isNaN(Date.parse(moment))) return undefined;
  return { updatedAt: new Date(moment), id };
}

/** Of a list with some rows before all others: 1 for those, a moment and an id. */
export function readPlaceInList(
  place: unknown,
): { pinned: boolean; updatedAt: Date; id: string } | undefined {
  if (!Array.isArray(place) || place.length !== 3) return undefined;
  const [pinned, ...rest] = place as unknown[];
  const read = readMomentAndId(rest);
  return (pinned === 0 || pinned === 1) && read ? { pinned: pinned === 1, ...read } : undefined;
}

/** Of a list in the order of a number. */
export function readNumberAndId(place: unknown): { number: number; id: string } | undefined {
  if (!Array.isArray(place) || place.length !== 2) return undefined;
  const [number, id] = place as unknown[];
  const read = readSequence([number]);
  return read !== undefined && typeof id === 'string' ? { number: read, id } : undefined;
}

export function readSequence(place: unknown): number | undefined {
  if (!Array.isArray(place) || place.length !== 1) return undefined;
  const [sequence] = place as unknown[];
  return typeof sequence === 'number' && Number.isSafeInteger(sequence) && Math.abs(sequence) < 2 ** 31
    ? sequence
    : undefined;
}

/** A place in a list that is read in either order: a cursor leads on in its own. */
export function inOrder<T>(order: 'asc' | 'desc', read: (place: unknown) => T | undefined) {
  return (place: unknown): T | undefined => {
    if (!Array.isArray(place) || place[0] !== order) return undefined;
    return read(place.slice(1));
  };
}

/** Of a message in its conversation. */
export const readSequenceIn = (order: 'asc' | 'desc') => inOrder(order, readSequence);

export function readId(place: unknown): string | undefined {
  if (!Array.isArray(place) || place.length !== 1) return undefined;
  const [id] = place as unknown[];
  return typeof id === 'string' && /^[a-z]{3}_[0-9a-z]{26}$/.test(id) ? id : undefined;
}

/** Of a list in the order of names. */
export function readNameAndId(place: unknown): { name: string; id: string } | undefined {
  if (!Array.isArray(place) || place.length !== 2) return undefined;
  const [name, id] = place as unknown[];
  const read = readId([id]);
  return typeof name === 'string' && read !== undefined ? { name, id: read } : undefined;
}
