import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { queryClient } from '../../queries/query-client.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../toast.ts';
import type { UploadQueue } from '../../upload/upload-queue.ts';
import { hasEnded } from '../../upload/upload-state.ts';
import { createFileUploads, isSmallEnough } from './file-uploads.ts';

/** Only an item that is a single file has one to replace. */
export function canReplaceFile({ type, files }: ListedKnowledge): boolean {
  return type === 'file' && files.length === 1;
}

const uploadsOf = new Map<string, UploadQueue>();

/** Uploads a newer version of an item's only file, which takes its place once it has been read. */
export function useReplaceFile(organizationId: string, agentId: string, knowledgeId: string) {
  const queue = itemUploads(organizationId, agentId, knowledgeId);
  const tasks = useStore(queue.tasks);
  return {
    queue,
    isPending: tasks.some(({ state }) => !hasEnded(state)),
    replaceBy: (file: File): void => queue.add([file].filter(isSmallEnough)),
  };
}

function itemUploads(organizationId: string, id: string, knowledgeId: string): UploadQueue {
  const known = uploadsOf.get(knowledgeId);
  if (known) return known;
  const made = createFileUploads({
    organizationId,
    scope: knowledgeId,
    use: async (fileId) => {
      await laterApi.knowledge.update({ id, organizationId, knowledgeId, files: [fileId] });
      await queryClient.invalidateQueries({ queryKey: ['knowledge', id] });
    },
    failure: 'updateKnowledge',
    onUsed: () =>
      toast.success({ title: t('knowledge.fileReplaced'), message: t('knowledge.fileReplacedText') }),
  });
  uploadsOf.set(knowledgeId, made);
  return made;
}
