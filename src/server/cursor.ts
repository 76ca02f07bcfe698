import { PAGE_SIZE_DEFAULT } from '../contract/limits.ts';
import { AppError } from './app-error.ts';

/** A position in a list as a string; its content may change at any time. Callers get it signed (`http/pages.ts`). */
export function encodeCursor(place: (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Errors: 400 for anything that `encodeCursor` didn't produce. */
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

/** The requested part of a list: where it starts, and how many rows. All of them, unless a page is requested. */
export interface Part<Place = string> {
  after?: Place | undefined;
  count?: number | undefined;
}

/** Errors: 400 for a cursor that doesn't belong to the list. */
export function partOf<Place>(
  asked: { cursor?: string | undefined; count?: number | undefined },
  read: (place: unknown) => Place | undefined,
): Part<Place> {
  const after = decodeCursor(asked.cursor, read);
  return { after, count: asked.count ?? (after === undefined ? undefined : PAGE_SIZE_DEFAULT) };
}

/** The number of rows to read for a part: one extra reveals that the list continues. */
export function rowsOf({ count }: Part<unknown>): number {
  return count === undefined ? Number.MAX_SAFE_INTEGER : count + 1;
}

/** The rows of a part and where the next one starts, given the rows read according to `rowsOf`. */
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

/** The format `encodeCursor` receives, limited to years the database supports. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** A moment and an id. */
export function readMomentAndId(place: unknown): { updatedAt: Date; id: string } | undefined {
  if (!Array.isArray(place) || place.length !== 2) return undefined;
  const [moment, id] = place as unknown[];
  if (typeof moment !== 'string' || typeof id !== 'string') return undefined;
  if (!MOMENT.test(moment) || Number.isNaN(Date.parse(moment))) return undefined;
  return { updatedAt: new Date(moment), id };
}

/** For a list with some rows before all others (1 for those): that flag, a moment and an id. */
export function readPlaceInList(
  place: unknown,
): { pinned: boolean; updatedAt: Date; id: string } | undefined {
  if (!Array.isArray(place) || place.length !== 3) return undefined;
  const [pinned, ...rest] = place as unknown[];
  const read = readMomentAndId(rest);
  return (pinned === 0 || pinned === 1) && read ? { pinned: pinned === 1, ...read } : undefined;
}

/** For a list ordered by a number. */
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

/** A position in a list that can be read in either order: a cursor continues in its own order. */
export function inOrder<T>(order: 'asc' | 'desc', read: (place: unknown) => T | undefined) {
  return (place: unknown): T | undefined => {
    if (!Array.isArray(place) || place[0] !== order) return undefined;
    return read(place.slice(1));
  };
}

/** The position of a message in its conversation. */
export const readSequenceIn = (order: 'asc' | 'desc') => inOrder(order, readSequence);

export function readId(place: unknown): string | undefined {
  if (!Array.isArray(place) || place.length !== 1) return undefined;
  const [id] = place as unknown[];
  return typeof id === 'string' && /^[a-z]{3}_[0-9a-z]{26}$/.test(id) ? id : undefined;
}

/** For a list ordered by name. */
export function readNameAndId(place: unknown): { name: string; id: string } | undefined {
  if (!Array.isArray(place) || place.length !== 2) return undefined;
  const [name, id] = place as unknown[];
  const read = readId([id]);
  return typeof name === 'string' && read !== undefined ? { name, id: read } : undefined;
}
