import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { titleOf } from './item-title.ts';

interface RemoveDialogProps {
  agentId: string;
  item: ListedKnowledge;
  opened: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}

export function RemoveDialog({ agentId, item, opened, onClose, onRemoved }: RemoveDialogProps) {
  const queryClient = useQueryClient();
  const name = titleOf(item);
  const remove = useMutation({
    mutationFn: () => laterApi.knowledge.remove({ id: agentId, knowledgeId: item.id }),
    onSuccess: async () => {
      onClose();
      toast.success({ title: t('knowledge.removed'), message: name });
      onRemoved?.();
      await queryClient.invalidateQueries({ queryKey: ['knowledge', agentId], exact: true });
    },
    meta: { failure: 'deleteKnowledge' },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('knowledge.removeTitle')}
      text={t('knowledge.removeText', { name })}
      action={t('ui.delete')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
