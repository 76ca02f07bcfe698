import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Conversation } from '../../../contract/chat.ts';
import { AgentChat } from '../../agent-chat.tsx';
import { publicAgentQuery } from '../../queries.ts';
import { ConversationHead } from './conversation-head.tsx';
import { Pane } from './pane.tsx';

interface NewConversationProps {
  idOrHandle: string;
  /** Told the id before the address takes it. */
  onBegun: (conversationId: string) => void;
}

/** Begins a conversation with an agent; the first message creates it and gives it its own address. */
export function NewConversation({ idOrHandle, onBegun }: NewConversationProps) {
  const agent = useQuery(publicAgentQuery(idOrHandle));
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const begin = ({ id }: Conversation) => {
    onBegun(id);
    void navigate({ to: '/chat/{-$id}', params: { id }, replace: true });
    void queryClient.invalidateQueries({ queryKey: ['conversations'] });
  };
  return (
    <Pane query={agent}>
      {(loaded) => (
        <>
          <ConversationHead agent={loaded} />
          <AgentChat autoFocus agent={loaded} conversationId={null} onCreated={begin} />
        </>
      )}
    </Pane>
  );
}
