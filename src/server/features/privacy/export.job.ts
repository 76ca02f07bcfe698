import type { Readable } from 'node:stream';
import { requireGoingOn } from '../../access/begun.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { zipOf, type ZipEntry } from '../../zip.ts';
import * as store from './export-store.ts';

/** How much of the file is held in memory before it is written. */
const PIECE_BYTES = 4 * 1024 * 1024;

export interface Contents {
  person: (userId: string) => Promise<ZipEntry[]>;
  organization: (organizationId: string) => Promise<ZipEntry[]>;
}

/**
 * Writes the file in pieces, holding no more in memory than one piece and one part of the content. A killed run is
 * restarted from the beginning, in a new place; what it had written is deleted with the old place. An organization's
 * export fails if the person who started it is no longer its owner.
 */
export function writeExport(deps: Pick<Deps, 'db' | 'storage'>, contents: Contents) {
  const { db } = deps;
  return async ({ exportId }: JobData['privacy.export'], signal: AbortSignal): Promise<void> => {
    const storageKey = newId('upload');
    const begun = await store.updateExport(db.unscoped, exportId, { state: 'writing', storageKey, done: 0 });
    const found = begun ? await store.findExport(db.unscoped, exportId) : undefined;
    if (!found) return;
    try {
      await write(deps, contents, { ...found, storageKey }, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'auth/forbidden') throw error;
      await giveUpExport(deps)({ exportId });
    }
  };
}

async function write(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  contents: Contents,
  { id, userId, ofOrganization, storageKey }: store.StoredExport & { storageKey: string },
  signal: AbortSignal,
): Promise<void> {
  const say = async (changes: Parameters<typeof store.updateExport>[2]): Promise<boolean> => {
    if (ofOrganization !== null) {
      const begun = { organizationId: ofOrganization, by: userId, permission: 'organization.own' } as const;
      await db.in({ organizationId: ofOrganization }, (tx) => requireGoingOn(tx, begun));
    }
    return store.updateExport(db.unscoped, id, changes, storageKey);
  };
  const entries = await (ofOrganization === null
    ? contents.person(userId)
    : contents.organization(ofOrganization));
  await say({ total: entries.length });
  const counted = entries.map((entry, done) => ({
    ...entry,
    open: async () => {
      await say({ done });
      return entry.open();
    },
  }));
  const append = async (at: number, piece: Buffer): Promise<void> => {
    signal.throwIfAborted();
    await storage.drafts.append(storageKey, at, piece);
  };
  const bytes = await inPieces(zipOf(counted), append);
  const isKept = await say({ state: 'ready', bytes, done: entries.length });
  // Nobody wants it any more, and nothing refers to it.
  if (!isKept) await storage.drafts.remove(storageKey);
}

/** It can be requested again. */
export function giveUpExport({ db }: Pick<Deps, 'db'>) {
  return async ({ exportId }: JobData['privacy.export']): Promise<void> => {
    await store.updateExport(db.unscoped, exportId, { state: 'failed', storageKey: null });
  };
}

/** Returns the number of bytes. */
async function inPieces(
  stream: Readable,
  write: (at: number, piece: Buffer) => Promise<void>,
): Promise<number> {
  let at = 0;
  let held: Buffer[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (size === 0) return;
    await write(at, Buffer.concat(held));
    at += size;
    [held, size] = [[], 0];
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    held.push(chunk);
    size += chunk.length;
    if (size >= PIECE_BYTES) await flush();
  }
  await flush();
  return at;
}
