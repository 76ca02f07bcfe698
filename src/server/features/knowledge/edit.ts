import type * as z from 'zod';
import type { KnowledgeChanges } from '../../../contract/knowledge.ts';
import { titleOfKnowledge } from '../../../contract/knowledge-title.ts';
import { planOf, requireRoom } from '../../access/quota.ts';
import { requireSeen } from '../../access/seen.ts';
import { AppError } from '../../app-error.ts';
import { callerId } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { requireVisiblyOuter } from '../../egress/target.ts';
import { recordAudit } from '../audit/store.ts';
import type { Act } from './create.ts';
import { exchangeFiles, requireFiles } from './exchange-files.ts';
import { requireFitting } from './fitting.ts';
import { openItem, presentItem } from './item.ts';
import type { ItemKey } from './keys.ts';
import { productSource, textSource } from './new-sources.ts';
import { requireAllowed, textBytesOf } from './plan-rules.ts';
import { findOpenRevision } from './revisions/revision-store.ts';
import { beginRevision } from './revisions/revise.ts';
import { nextSyncOf } from './schedule.ts';
import type { NewSource } from './source-store.ts';
import { updateKnowledge, type StoredKnowledge } from './store.ts';
import { beginSync } from './sync.ts';

type Changes = Omit<z.infer<typeof KnowledgeChanges>, 'id' | 'knowledgeId' | 'organizationId'>;

/**
 * Changes a locked item; if what it reads has changed, it is reread. Errors: 400, 402 by the plan, 404 also for a file,
 * 409 during its first read or by `seen`.
 */
export async function editItem(
  tx: Tx,
  { config, jobs }: Pick<Deps, 'config' | 'jobs'>,
  key: ItemKey,
  { seen = {}, files: fileIds, ...changes }: Changes,
  { caller, context }: Act,
): Promise<void> {
  const before = await openItem(tx, key);
  requireSeen(before, seen, changes);
  const files = fileIds && (await requireFiles(tx, key.organizationId, fileIds));
  requireFitting(before, { ...changes, files: fileIds });
  for (const link of changes.links ?? []) requireVisiblyOuter(link, config);
  requireAllowed(config, await planOf(tx, config, key.organizationId), changes);
  const after = { ...before, ...given(changes) };
  const shown = await presentItem(tx, key);
  await updateKnowledge(tx, key, { ...changes, nextSyncAt: nextSyncOf(after) });
  await recordAudit(tx, caller, context, {
    organizationId: key.organizationId,
    action: 'knowledge.update',
    target: { id: key.knowledgeId, name: titleOfKnowledge(shown) },
    before: { ...editable(before), ...(files && { files: namesOf(shown.files) }) },
    after: { ...editable(after), ...(files && { files: namesOf(files) }) },
  });
  const start = { cause: 'edited' as const, createdBy: callerId(caller) };
  if (isReadAnew(before, after)) {
    await requireReadOnce(tx, key, before);
    await beginSync(tx, jobs, key, after, start);
  }
  if (files) {
    await requireReadOnce(tx, key, before);
    await exchangeFiles(tx, jobs, key, after, files, start);
  }
  const text = textOf(after);
  const old = textOf(before);
  if (text && old?.contentHash !== text.contentHash) {
    const grown = textBytesOf([text]) - textBytesOf(old ? [old] : []);
    await requireRoom(tx, config, key.organizationId, 'knowledgeBytes', grown);
    await beginRevision(tx, key, after, { ...start, seeds: [text] });
    await jobs.enqueue(tx, 'knowledge.process', key);
  }
}

/** Errors: 409 during its first read. */
async function requireReadOnce(tx: Tx, key: ItemKey, { revision }: StoredKnowledge): Promise<void> {
  const open = await findOpenRevision(tx, key);
  if (open?.number === revision)
    throw new AppError('resource/conflict', 'It is still being read for the first time.');
}

const namesOf = (files: readonly { name: string }[]): string[] => files.map(({ name }) => name);

function given(changes: Changes): Partial<StoredKnowledge> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function editable({ description, text, links, site, schedule }: StoredKnowledge) {
  return { description, text, links, site, schedule };
}

function isReadAnew(before: StoredKnowledge, after: StoredKnowledge): boolean {
  return JSON.stringify([before.links, before.site]) !== JSON.stringify([after.links, after.site]);
}

/** What the author typed, as a source; undefined for an item read from elsewhere. */
function textOf(item: StoredKnowledge): NewSource | undefined {
  if (item.type === 'text' || item.type === 'qa') return textSource(item);
  return item.type === 'product' && item.links.length === 0 ? productSource(item.description) : undefined;
}
