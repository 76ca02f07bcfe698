import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { titleOf } from './item-title.ts';

interface RemoveItemProps {
  agentId: string;
  item: Knowledge;
  onRemoved?: () => void;
}

export function RemoveItem({ agentId, item, onRemoved }: RemoveItemProps) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const name = titleOf(item);
  const remove = useMutation({
    mutationFn: () => api.knowledge.remove({ id: agentId, knowledgeId: item.id }),
    onSuccess: async () => {
      setAsking(false);
      toast.success({ title: t('knowledge.removed'), message: name });
      onRemoved?.();
      await queryClient.invalidateQueries({ queryKey: ['knowledge', agentId], exact: true });
    },
    meta: { failure: 'deleteKnowledge' },
  });
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('knowledge.remove', { name })}
        onClick={() => setAsking(true)}
      >
        <IconTrash size="1.15em" />
      </ActionIcon>
      <ConfirmDialog
        opened={asking}
        title={t('knowledge.removeTitle')}
        text={t('knowledge.removeText', { name })}
        action={t('ui.delete')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
