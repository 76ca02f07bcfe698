import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '../../socket.ts';
import { listAgain } from './list-again.ts';

/** Reloads the list when a conversation has changed, in this tab or elsewhere. */
export function useConversationNews(enabled: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!enabled) return;
    const refetch = () => void listAgain(queryClient);
    const refetchOne = (id: string) => void queryClient.invalidateQueries({ queryKey: ['conversation', id] });
    const onNews = ({ conversationId }: { conversationId: string }) => {
      refetch();
      refetchOne(conversationId);
    };
    // For changes from before it listened; the title of a conversation begun meanwhile, say.
    const onConnect = () => {
      refetch();
      void queryClient.invalidateQueries({ queryKey: ['conversation'] });
    };
    // A conversation is listed from its first message on.
    const stops = [
      listen('conversation.asked', refetch, () => undefined),
      listen('conversation.updated', onNews, onConnect),
    ];
    return () => stops.forEach((stop) => stop());
  }, [enabled, queryClient]);
}
