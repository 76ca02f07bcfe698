import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

/** A conversation by ID; null requests nothing. */
export function useConversation(id: string | null) {
  return useQuery({
    queryKey: ['conversation', id],
    queryFn: async ({ signal }) => (await api.chat.get({ id: id ?? '' }, { signal })).conversation,
    enabled: id !== null,
    meta: { failure: 'getConversation', quiet: true },
  });
}
