import { useQuery } from '@tanstack/react-query';
import { AgentChat } from '../../agent-chat.tsx';
import { api } from '../../api.ts';
import { ConversationHead } from './conversation-head.tsx';
import { Pane } from './pane.tsx';

/** A stored conversation. */
export function OpenConversation({ id }: { id: string }) {
  const conversation = useQuery({
    queryKey: ['conversation', id],
    queryFn: async ({ signal }) => (await api.chat.get({ id }, { signal })).conversation,
    meta: { failure: 'getConversation', quiet: true },
  });
  return (
    <Pane query={conversation}>
      {({ agent }) => (
        <>
          <ConversationHead agent={agent} />
          <AgentChat agent={agent} conversationId={id} />
        </>
      )}
    </Pane>
  );
}
