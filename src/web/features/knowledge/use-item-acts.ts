import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { titleOf } from './item-title.ts';

/** Only items read from addresses can be read again. */
export function canReadAgain({ site }: ListedKnowledge): boolean {
  return site !== null;
}

/** Whether part of an item could not be read. */
export function hasFailed({ progress: { state, failed } }: ListedKnowledge): boolean {
  return state === 'failed' || (state === 'ready' && failed > 0);
}

/** The immediate actions for an item. Their outcome shows in its progress. */
export function useItemActs(agentId: string, item: ListedKnowledge) {
  const queryClient = useQueryClient();
  const input = { id: agentId, knowledgeId: item.id };
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['knowledge', agentId] });
  const readAgain = useMutation({
    mutationFn: () => laterApi.knowledge.resync(input),
    onSuccess: () => toast.success({ title: t('knowledge.readingAgain'), message: titleOf(item) }),
    onSettled,
    meta: { failure: 'updateKnowledge' },
  });
  const retry = useMutation({
    mutationFn: () => laterApi.knowledge.retry(input),
    onSettled,
    meta: { failure: 'updateKnowledge' },
  });
  return { readAgain, retry };
}
