import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '../../socket.ts';
import { listAgain } from './list-again.ts';

/** Reads the list again when a conversation has changed, in this tab or elsewhere. */
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
    // What was told before it listened; the title of a conversation, say, that was begun meanwhile.
    const onConnect = () => {
      refetch();
      void queryClient.invalidateQueries({ queryKey: ['conversation'] });
    };
    // With its first message one comes to be listed.
    const stops = [
      listen('conversation.asked', refetch, () => undefined),
      listen('conversation.updated', onNews, onConnect),
    ];
    return () => stops.forEach((stop) => stop());
  }, [enabled, queryClient]);
}
