import { useSearch } from '@tanstack/react-router';
import type { Conversation as Stored } from '../../../contract/chat.ts';
import { AgentChat } from '../../transport/agent-chat.tsx';
import { Dressed } from '../../chat/dressed.tsx';
import { t } from '../../messages/t.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { ConversationHead } from './conversation-head.tsx';
import { Pane } from './pane.tsx';
import { TemporaryNotice } from './temporary-notice.tsx';
import { useConversation } from './use-conversation.ts';
import './messages.ts';

/** A stored conversation, or a room. */
export function OpenConversation({ id }: { id: string }) {
  const { message } = useSearch({ from: '/chat/{-$id}' });
  const { user } = useStore(sessionState);
  return (
    <Pane of="conversation" query={useConversation(id)}>
      {(conversation) => (
        <Dressed appearance={conversation.agent.appearance}>
          <ConversationHead agent={conversation.agent} conversation={conversation} />
          {conversation.temporary && <TemporaryNotice version={conversation.version} />}
          <AgentChat
            agent={greetingOf(conversation)}
            conversationId={id}
            isRoom={conversation.kind === 'game'}
            canAskPerson={() => mayAskPerson(conversation)}
            me={user?.uid}
            startAt={message}
          />
        </Dressed>
      )}
    </Pane>
  );
}

/** A person can't be requested if several people talk, or if nothing is kept. */
function mayAskPerson({ agent, kind, temporary }: Stored): boolean {
  return agent.offersPerson && kind !== 'game' && !temporary;
}

/** In a room nobody answers automatically: how to talk there is explained before anybody has. */
function greetingOf({ agent, kind }: Stored): Stored['agent'] {
  if (kind !== 'game') return agent;
  const how = t('chats.roomHow', { host: agent.name });
  return { ...agent, welcomeMessage: [agent.welcomeMessage, how].filter(Boolean).join('\n\n') };
}
