import { KNOWLEDGE_REVISIONS_KEPT } from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { Tx } from '../../../db/scope.ts';
import type { Deps } from '../../../deps.ts';
import type { ItemKey } from '../keys.ts';
import { restoreRevision } from './restore.ts';
import * as store from './revision-store.ts';
import type { StoredRevision } from './revision-store.ts';
import { dropRevision, settleItem } from './revise.ts';
import { setState, type StoredKnowledge } from '../store.ts';

/** What someone decides on; the item is locked. */
export interface Decision {
  key: ItemKey;
  item: StoredKnowledge;
  revision: StoredRevision;
  /** The person or key. */
  by: string;
}

/** Each returns the number of the revision it created or changed. Errors: 409 if there is nothing to decide. */
export type Decide = (tx: Tx, deps: Pick<Deps, 'config' | 'jobs'>, decision: Decision) => Promise<number>;

/** A held revision is used after all. A job does it: a large one takes time. */
export const apply: Decide = async (tx, { jobs }, { key, revision, by }) => {
  requireHeld(revision);
  await store.updateRevision(tx, key, revision.number, { state: 'building', reason: null, approvedBy: by });
  await setState(tx, key, 'queued', null);
  await jobs.enqueue(tx, 'knowledge.process', key);
  return revision.number;
};

export const discard: Decide = async (tx, _deps, { key, item, revision }) => {
  requireHeld(revision);
  await dropRevision(tx, key, revision.number);
  await settleItem(tx, key, item);
  return revision.number;
};

export const restore: Decide = async (tx, { config, jobs }, { key, item, revision, by }) => {
  if (revision.state !== 'retired' || revision.number < (await oldestOf(tx, key)))
    throw new AppError('resource/conflict', 'This revision cannot be restored.');
  const number = await restoreRevision(tx, config, key, item, revision.number, by);
  await jobs.enqueue(tx, 'knowledge.process', key);
  return number;
};

/** The oldest revision whose sources are still kept. */
export async function oldestOf(tx: Tx, key: ItemKey): Promise<number> {
  return (await store.oldestKept(tx, key, KNOWLEDGE_REVISIONS_KEPT)) ?? 1;
}

function requireHeld({ state }: StoredRevision): void {
  if (state !== 'held') throw new AppError('resource/conflict', 'This revision does not need a decision.');
}
