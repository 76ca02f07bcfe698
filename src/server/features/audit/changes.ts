import { isDeepStrictEqual } from 'node:util';

/** Fields that say nothing about what somebody changed, and those that nobody may read again. */
const omitted = new Set([
  'id',
  'organizationId',
  'createdAt',
  'updatedAt',
  'version',
  'tokenHash',
  'secretHash',
]);

const TEXT_MAX_CHARACTERS = 200;

export type Fields = Record<string, unknown>;

/** The differing fields, in the form they are recorded: of long texts, only the length. */
export function changesBetween(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !omitted.has(field) && !isDeepStrictEqual(plain(before[field]), plain(after[field])),
  );
  return { before: pick(before, changed), after: pick(after, changed) };
}

/** In the form it is stored: the database may order an object's keys differently from its creator. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

function pick(fields: Fields, names: string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => name in fields).map((name) => [name, shorten(fields[name])]),
  );
}

function shorten(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= TEXT_MAX_CHARACTERS) return value;
  return `(${value.length} characters)`;
}
