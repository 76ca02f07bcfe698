import type { FileReference, Knowledge, KnowledgeProgress } from '../../../contract/knowledge.ts';
import type { KnowledgeSummary } from './store.ts';

export function knowledgeOf(item: KnowledgeSummary, files: FileReference[]): Knowledge {
  const { id, type, description, text, links, characters, chunks, createdAt, updatedAt } = item;
  return {
    id,
    knowledgeId: id,
    type,
    description,
    text,
    links,
    files,
    progress: itemProgressOf(item),
    characters,
    chunks,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function progressOf(agentId: string, items: KnowledgeSummary[]): KnowledgeProgress {
  return { agentId, items: items.map(itemProgressOf) };
}

function itemProgressOf({ id, state, done, failed, total, error }: KnowledgeSummary): Knowledge['progress'] {
  return { knowledgeId: id, state, done, failed, total, error };
}
