import { notFoundAt } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { findFiles, type StoredFile } from '../file/store.ts';
import type { ItemKey } from './keys.ts';
import { fileSources } from './new-sources.ts';
import { findOpenRevision } from './revisions/revision-store.ts';
import { beginRevision, type RevisionStart } from './revisions/revise.ts';
import { keepFiles, listLive, type LiveSource } from './source-store.ts';
import type { StoredKnowledge } from './store.ts';

/** Errors: 404 if one of them isn't the organization's. */
export async function requireFiles(tx: Tx, organizationId: string, ids: string[]): Promise<StoredFile[]> {
  const files = await findFiles(tx, organizationId, ids);
  if (files.length !== new Set(ids).size) throw notFoundAt('files');
  return files;
}

/**
 * A locked item is to consist of these files: those it has stay as they are, new ones are read, and once that is
 * complete the others leave. Nothing happens if it already does; others that are being read for it are dropped.
 */
export async function exchangeFiles(
  tx: Tx,
  jobs: Jobs,
  key: ItemKey,
  item: StoredKnowledge,
  files: StoredFile[],
  start: Omit<RevisionStart, 'seeds'>,
): Promise<void> {
  const wanted = new Set(files.map(({ id }) => id));
  const live = await listLive(tx, key, item.revision);
  const known = new Set(live.flatMap(({ fileId }) => fileId ?? []));
  const isSame = wanted.symmetricDifference(known).size === 0;
  if (isSame && !(await findOpenRevision(tx, key))) return;
  const seeds = fileSources(files.filter(({ id }) => !known.has(id)));
  const number = await beginRevision(tx, key, item, { ...start, seeds });
  await keepFiles(tx, key, item.revision, number, [...wanted]);
  await jobs.enqueue(tx, 'knowledge.process', key);
}

/**
 * The file a new one takes the place of: the leaving one of the same name; the others pair up in their order. Undefined
 * if there are more new ones.
 */
export function leavingFor(
  { id, title }: { id: string; title: string },
  fresh: LiveSource[],
  leaving: LiveSource[],
): LiveSource | undefined {
  const namesake = leaving.find((old) => old.title === title);
  if (namesake && fresh.find((each) => each.title === title)?.id === id) return namesake;
  const alone = (some: LiveSource[], others: LiveSource[]) =>
    some.filter((each) => !others.some((other) => other.title === each.title));
  const place = alone(fresh, leaving).findIndex((each) => each.id === id);
  return place < 0 ? undefined : alone(leaving, fresh)[place];
}
