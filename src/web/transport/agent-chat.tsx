import { Suspense, useState } from 'react';
import { createChatTransport, type TransportSetup } from './chat-transport.ts';
import type { ConversationProps } from '../chat/conversation.tsx';
import { describeError } from '../queries/query-client.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { later } from '../ui/later.ts';

/** Loaded after the page around it. */
const Conversation = later(async () => (await import('../chat/conversation.tsx')).Conversation);

interface AgentChatProps
  extends
    Omit<ConversationProps, 'agent' | 'transport' | 'describeError' | 'draftKey'>,
    Omit<TransportSetup, 'agentId'> {
  agent: ConversationProps['agent'] & { id: string };
}

/**
 * A conversation with an agent, over the API. Give it a `key` that changes with the conversation: what it opens is
 * decided on mount.
 */
export function AgentChat(props: AgentChatProps) {
  const {
    agent,
    conversationId,
    isRoom = false,
    isTemporary,
    version,
    dryRun,
    canSeeReceipts = false,
    canAskPerson,
    onCreated,
    ...rest
  } = props;
  const [begunId, setBegunId] = useState(conversationId);
  const [transport] = useState(() =>
    createChatTransport({
      conversationId,
      agentId: agent.id,
      isRoom,
      isTemporary,
      version,
      dryRun,
      canSeeReceipts,
      canAskPerson,
      onCreated(conversation) {
        setBegunId(conversation.id);
        onCreated?.(conversation);
      },
    }),
  );
  return (
    <Suspense fallback={<Skeleton shape="line" />}>
      <Conversation
        agent={agent}
        transport={transport}
        describeError={describeError}
        draftKey={begunId ?? agent.id}
        {...rest}
      />
    </Suspense>
  );
}
