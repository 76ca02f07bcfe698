import type { audit as contract, AuditEntry } from '../../../contract/audit.ts';
import { inOrganization } from '../../access/gate.ts';
import type { Handlers } from '../../call.ts';
import { decodeCursor, encodeCursor, readMomentAndId } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import { csvOf } from '../../csv.ts';
import * as store from './store.ts';

const EXPORT_MAX_ENTRIES = 10_000;

export function auditHandlers({ db }: Deps): Handlers<typeof contract> {
  return {
    list: async ({ cursor, count, ...filter }, caller) => {
      const before = decodeCursor(cursor, readMomentAndId);
      const found = await inOrganization(db, caller, filter.organizationId, 'organization.manage', (tx) =>
        store.listEntries(tx, filter, count + 1, before),
      );
      const page = found.slice(0, count);
      const last = found.length > count ? page.at(-1) : undefined;
      return {
        entries: page.map(entryOf),
        nextCursor: last ? encodeCursor([last.createdAt.toISOString(), last.id]) : null,
      };
    },

    export: async (filter, caller) => {
      const entries = await inOrganization(db, caller, filter.organizationId, 'organization.manage', (tx) =>
        store.listEntries(tx, filter, EXPORT_MAX_ENTRIES),
      );
      return { csv: csvOf([[...columns], ...entries.map((entry) => rowOf(entryOf(entry)))]) };
    },
  };
}

const columns = [
  'createdAt',
  'action',
  'actorId',
  'actorName',
  'targetId',
  'targetName',
  'before',
  'after',
  'address',
] as const satisfies (keyof AuditEntry)[];

function rowOf(entry: AuditEntry): string[] {
  return columns.map((column) => {
    const value = entry[column];
    return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  });
}

function entryOf({ organizationId: _, createdAt, ...entry }: store.StoredEntry): AuditEntry {
  return { ...entry, createdAt: createdAt.toISOString() };
}
