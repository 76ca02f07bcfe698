import type { FileReference, Knowledge, KnowledgeProgress } from '../../../contract/knowledge.ts';
import type { Revision } from '../../../contract/revision.ts';
import type { Source } from '../../../contract/source.ts';
import type { StoredRevision } from './revisions/revision-store.ts';
import type { ListedSource } from './shown-source-store.ts';
import type { ItemProgress, KnowledgeSummary } from './store.ts';

export function knowledgeOf(item: KnowledgeSummary, files: FileReference[]): Knowledge {
  const { id, type, description, text, links, site, schedule, revision, heldRevision, characters } = item;
  return {
    id,
    knowledgeId: id,
    type,
    description,
    text,
    links,
    files,
    site,
    schedule,
    revision,
    heldRevision,
    syncedAt: item.syncedAt?.toISOString() ?? null,
    nextSyncAt: item.nextSyncAt?.toISOString() ?? null,
    progress: itemProgressOf(item),
    characters,
    chunks: item.chunks,
    createdAt: item.createdAt.toISOString(),
    updatedAt: item.updatedAt.toISOString(),
  };
}

export function progressOf(agentId: string, items: ItemProgress[]): KnowledgeProgress {
  return { agentId, items: items.map(itemProgressOf) };
}

function itemProgressOf({ id, state, done, failed, total, error }: ItemProgress): Knowledge['progress'] {
  return { knowledgeId: id, state, done, failed, total, error };
}

export function sourceOf({ updatedAt, ...source }: ListedSource): Source {
  return { ...source, updatedAt: updatedAt.toISOString() };
}

/** `oldestKept`: the sources of older revisions are gone. */
export function revisionOf(revision: StoredRevision, oldestKept: number): Revision {
  const { knowledgeId, number, state, cause, added, changed, removed, unchanged, reason } = revision;
  return {
    knowledgeId,
    number,
    state,
    cause,
    added,
    changed,
    removed,
    unchanged,
    reason,
    canRestore: state === 'retired' && number >= oldestKept,
    createdAt: revision.createdAt.toISOString(),
  };
}
