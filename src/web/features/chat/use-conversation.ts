import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.ts';

/** A conversation by its id; nothing is asked for while there is none. */
export function useConversation(id: string | null) {
  return useQuery({
    queryKey: ['conversation', id],
    queryFn: async ({ signal }) => (await api.chat.get({ id: id ?? '' }, { signal })).conversation,
    enabled: id !== null,
    meta: { failure: 'getConversation', quiet: true },
  });
}
