import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Conversation } from '../../../contract/chat.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { listAgain } from './list-again.ts';

/** Renaming, pinning, and deleting with undo. */
export function useConversationActs({ id, title, pinned }: Conversation, isOpen: boolean) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const refetch = () =>
    Promise.all([listAgain(queryClient), queryClient.invalidateQueries({ queryKey: ['conversation', id] })]);
  const update = useMutation({
    mutationFn: (changes: { title?: string; pinned?: boolean }) => api.history.update({ id, ...changes }),
    onSettled: refetch,
    meta: { failure: 'updateConversation', again: true },
  });
  const restore = useMutation({
    mutationFn: () => api.history.restore({ id }),
    onSettled: refetch,
    meta: { failure: 'updateConversation', again: true },
  });
  const remove = useMutation({
    mutationFn: () => api.history.remove({ id }),
    onSuccess: async () => {
      toast.success({
        title: t('chats.deleted'),
        message: title,
        action: { text: t('chats.undo'), run: () => restore.mutate() },
      });
      if (isOpen) await navigate({ to: '/chat/{-$id}', params: { id: undefined } });
      // Going back to it finds it gone.
      queryClient.removeQueries({ queryKey: ['conversation', id] });
    },
    onSettled: () => listAgain(queryClient),
    meta: { failure: 'deleteConversation' },
  });
  return {
    /** The new title is shown until the server has it. */
    shownTitle: update.isPending ? (update.variables.title ?? title) : title,
    rename: (next: string) => next !== '' && next !== title && update.mutate({ title: next }),
    togglePin: () => update.mutate({ pinned: !pinned }),
    remove: () => remove.mutate(),
  };
}
