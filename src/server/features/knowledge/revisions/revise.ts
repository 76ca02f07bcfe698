import { KNOWLEDGE_REVISIONS_KEPT, VANISHED_PAGES_MAX_SHARE } from '../../../../contract/limits.ts';
import type { Tx } from '../../../db/scope.ts';
import type { Analyse } from '../index/analyse.ts';
import type { ItemKey } from '../keys.ts';
import { reindex } from '../index/reindex.ts';
import * as revisions from './revision-store.ts';
import type { StoredRevision } from './revision-store.ts';
import { nextSyncOf } from '../schedule.ts';
import * as sources from '../source-store.ts';
import type { LiveSource, NewSource } from '../source-store.ts';
import * as store from '../store.ts';
import type { StoredKnowledge } from '../store.ts';

/**
 * An item changes by revisions: new content is read next to the searchable one, and replaces it in one transaction once
 * it is complete. Until then, and for good if it isn't wanted, the old content stays.
 */

export interface RevisionStart {
  cause: StoredRevision['cause'];
  /** The person or key; null for the schedule. */
  createdBy: string | null;
  /** Where to start reading, or content that already exists. */
  seeds: NewSource[];
}

/** Starts a new revision of a locked item, replacing one that was being read or held. Returns its number. */
export async function beginRevision(
  tx: Tx,
  key: ItemKey,
  item: StoredKnowledge,
  { cause, createdBy, seeds }: RevisionStart,
): Promise<number> {
  const open = await revisions.findOpenRevision(tx, key);
  if (open) await dropRevision(tx, key, open.number);
  await sources.forgetChecks(tx, key, item.revision);
  const number = await revisions.insertRevision(tx, key, cause, createdBy);
  await sources.insertSources(tx, key, number, seeds);
  await store.setState(tx, key, 'queued', null);
  return number;
}

/** Drops a revision that isn't to take effect: what was read for it is deleted. */
export async function dropRevision(
  tx: Tx,
  key: ItemKey,
  number: number,
  state: 'discarded' | 'failed' = 'discarded',
  reason: string | null = null,
): Promise<void> {
  await sources.deleteOfRevision(tx, key, number);
  await revisions.updateRevision(tx, key, number, { state, reason });
}

interface Difference {
  added: LiveSource[];
  /** The old versions of sources that have changed. */
  replaced: LiveSource[];
  removed: LiveSource[];
  unchanged: LiveSource[];
}

/** Sources are the same if they have the same address or file, or are the item's only text. */
const nameOf = ({ url, fileId, kind }: LiveSource): string => url ?? fileId ?? kind;

async function differenceOf(tx: Tx, key: ItemKey, active: number, number: number): Promise<Difference> {
  const old = await sources.listLive(tx, key, active);
  const fresh = (await sources.listLive(tx, key, number)).filter(({ revision }) => revision === number);
  const oldNames = new Set(old.map(nameOf));
  const freshNames = new Set(fresh.map(nameOf));
  const [unchanged, gone] = [
    old.filter(({ checkedIn }) => checkedIn === number),
    old.filter(({ checkedIn }) => checkedIn !== number),
  ];
  return {
    added: fresh.filter((each) => !oldNames.has(nameOf(each))),
    replaced: gone.filter((each) => freshNames.has(nameOf(each))),
    removed: gone.filter((each) => !freshNames.has(nameOf(each))),
    unchanged,
  };
}

/**
 * All of a revision has been read: it replaces the old one, waits for approval, or is discarded as unchanged. The
 * caller holds the item's lock.
 */
export async function finishRevision(
  tx: Tx,
  key: ItemKey,
  item: StoredKnowledge,
  revision: StoredRevision,
  analyse: Analyse,
): Promise<void> {
  const difference = await differenceOf(tx, key, item.revision, revision.number);
  const { added, replaced, removed, unchanged } = difference;
  const isFresh = added.length + replaced.length > 0;
  const unreadable = unchanged.filter(({ state, error }) => state === 'failed' || sources.isOldForm(error));
  if (!isFresh && removed.length === 0) {
    if (unchanged.length > 0 && unreadable.length === unchanged.length)
      await dropRevision(tx, key, revision.number, 'failed', unreadable[0]?.error ?? null);
    else await revisions.deleteRevision(tx, key, revision.number);
    await settleItem(tx, key, item);
    return;
  }
  const isSync = revision.cause === 'synced' || revision.cause === 'scheduled';
  const share = removed.length / (removed.length + replaced.length + unchanged.length);
  if (isSync && revision.approvedBy === null && share > VANISHED_PAGES_MAX_SHARE) {
    const reason = `${removed.length} of ${removed.length + replaced.length + unchanged.length} pages are gone.`;
    await revisions.updateRevision(tx, key, revision.number, {
      ...countsOf(difference),
      state: 'held',
      reason,
    });
    await settleItem(tx, key, item);
    return;
  }
  await applyRevision(tx, key, item, revision, analyse);
}

function countsOf({ added, replaced, removed, unchanged }: Difference) {
  return {
    added: added.length,
    changed: replaced.length,
    removed: removed.length,
    unchanged: unchanged.length,
  };
}

/** An item that goes by the name of a file goes by that of the file in its place. */
async function nameAfterFile(tx: Tx, key: ItemKey, { added, removed }: Difference): Promise<void> {
  const [[fresh], [old]] = [added, removed];
  if (fresh?.kind === 'file' && old && added.length === 1 && removed.length === 1)
    await store.renameKnowledge(tx, key, old.title, fresh.title);
}

/** Once the transaction ends, exactly the revision's content is searched. */
async function applyRevision(
  tx: Tx,
  key: ItemKey,
  item: StoredKnowledge,
  { number }: StoredRevision,
  analyse: Analyse,
): Promise<void> {
  const difference = await differenceOf(tx, key, item.revision, number);
  await nameAfterFile(tx, key, difference);
  const leaving = [...difference.replaced, ...difference.removed].map(({ id }) => id);
  await sources.updateSource(tx, key, leaving, { retiredIn: number });
  await reindex(tx, key, number, analyse);
  await revisions.updateRevision(tx, key, number, {
    ...countsOf(difference),
    state: 'active',
    reason: null,
  });
  await revisions.retireRevisions(tx, key, number);
  await settleItem(tx, key, { ...item, revision: number });
  const oldest = await revisions.oldestKept(tx, key, KNOWLEDGE_REVISIONS_KEPT);
  if (oldest !== undefined) await sources.deleteRetiredBefore(tx, key, oldest);
}

/** An item with anything searchable is ready, whatever else went wrong with it; the reason is kept. Returns whether it is. */
export async function settleItem(
  tx: Tx,
  key: ItemKey,
  item: StoredKnowledge,
  reason?: string,
): Promise<boolean> {
  const live = await sources.listLive(tx, key, item.revision);
  const isReady = live.some(({ state }) => state === 'ready');
  await store.updateKnowledge(tx, key, {
    revision: item.revision,
    state: isReady ? 'ready' : 'failed',
    error: reason ?? (await sources.firstError(tx, key, item.revision)),
    syncedAt: new Date(),
    nextSyncAt: nextSyncOf(item),
  });
  return isReady;
}
