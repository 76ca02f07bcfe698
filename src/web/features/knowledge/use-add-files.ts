import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../contract/client.ts';
import { KNOWLEDGE_FILE_MAX_BYTES } from '../../../contract/limits.ts';
import { api } from '../../api.ts';
import { formatBytes } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../query-client.ts';
import { toast } from '../../toast.ts';

/** Uploads files one after the other, each as an item of its own. One that fails keeps no other from coming. */
export function useAddFiles(organizationId: string, agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      let added = 0;
      for (const file of files) {
        if (await addFile({ organizationId, agentId, file })) added += 1;
        await queryClient.invalidateQueries({ queryKey: ['knowledge', agentId] });
      }
      return added;
    },
    onSuccess: (added) => {
      if (added > 0) toast.success({ title: t('knowledge.filesAdded#', { count: added }) });
    },
    meta: { failure: 'createKnowledge' },
  });
}

interface NewFile {
  organizationId: string;
  agentId: string;
  file: File;
}

async function addFile({ organizationId, agentId, file }: NewFile): Promise<boolean> {
  if (file.size > KNOWLEDGE_FILE_MAX_BYTES) {
    const size = formatBytes(KNOWLEDGE_FILE_MAX_BYTES);
    toast.error({ title: file.name, message: t('knowledge.fileTooLarge', { size }) });
    return false;
  }
  try {
    const uploaded = await api.file.upload({ organizationId, media: file });
    await api.knowledge.create({
      id: agentId,
      organizationId,
      type: 'file',
      description: file.name,
      files: [uploaded.file.id],
    });
    return true;
  } catch (error) {
    announceFailure(error, { failure: 'createKnowledge', quiet: true });
    const message = error instanceof ApiError ? error.message : t('error.unknown');
    toast.error({ title: file.name, message });
    return false;
  }
}
