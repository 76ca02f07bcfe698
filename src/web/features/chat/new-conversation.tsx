import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import type { Conversation } from '../../../contract/chat.ts';
import { AgentChat } from '../../transport/agent-chat.tsx';
import { Dressed } from '../../chat/dressed.tsx';
import { publicAgentQuery } from '../../queries/queries.ts';
import { isNotFound } from '../../queries/query-props.ts';
import { ConversationHead } from './conversation-head.tsx';
import { listAgain } from './list-again.ts';
import { Pane } from './pane.tsx';
import { TemporaryNotice } from './temporary-notice.tsx';
import { useConversation } from './use-conversation.ts';
import { later } from '../../ui/later.ts';

const BuyNow = later(async () => (await import('./buy-now.tsx')).BuyNow);

interface NewConversationProps {
  idOrHandle: string;
  /** Called with the ID before the address changes to it. */
  onBegun: (conversationId: string) => void;
}

/** Starts a conversation with an agent; the first message creates it and gives it its own address. */
export function NewConversation({ idOrHandle, onBegun }: NewConversationProps) {
  const agent = useQuery(publicAgentQuery(idOrHandle));
  const { buy } = useSearch({ from: '/chat/{-$id}' });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { isTemporary, wanted, toggle } = useTemporary();
  const [begunId, setBegunId] = useState<string | null>(null);
  const begun = useConversation(begunId);
  const begin = (made: Conversation) => {
    queryClient.setQueryData(['conversation', made.id], made);
    setBegunId(made.id);
    onBegun(made.id);
    void navigate({ to: '/chat/{-$id}', params: { id: made.id }, replace: true });
    void listAgain(queryClient);
  };
  if (isNotFound(begun.error))
    return (
      <Pane of="conversation" query={begun}>
        {() => null}
      </Pane>
    );
  return (
    <Pane of="agent" query={agent}>
      {(loaded) => (
        <Dressed appearance={loaded.appearance}>
          <ConversationHead
            agent={loaded}
            conversation={begun.data}
            temporary={begunId === null ? { isOn: isTemporary, toggle } : undefined}
          />
          {isTemporary && <TemporaryNotice />}
          {buy !== undefined && (
            <Suspense>
              <BuyNow id={idOrHandle} productId={buy} />
            </Suspense>
          )}
          <AgentChat
            autoFocus
            agent={loaded}
            conversationId={begunId}
            isTemporary={() => wanted.current}
            canAskPerson={() => loaded.offersPerson && !wanted.current}
            onCreated={begin}
          />
        </Dressed>
      )}
    </Pane>
  );
}

/** Whether the conversation is to be kept out of the list; `wanted` gives callbacks the current value. */
function useTemporary() {
  const [isTemporary, setIsTemporary] = useState(false);
  const wanted = useRef(false);
  const toggle = () => {
    wanted.current = !wanted.current;
    setIsTemporary(wanted.current);
  };
  return { isTemporary, wanted, toggle };
}
