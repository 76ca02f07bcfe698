import { useState } from 'react';
import type { Conversation as ConversationData } from '../contract/chat.ts';
import { createChatTransport } from './chat-transport.ts';
import { Conversation } from './chat/conversation.tsx';
import type { RenderSourceLink } from './chat/passage-panel.tsx';
import type { ChatAgent } from './chat/types.ts';
import { describeError } from './query-client.ts';

interface AgentChatProps {
  agent: ChatAgent & { id: string };
  /** The conversation to open; null starts a new one with the first message. */
  conversationId: string | null;
  onCreated?: (conversation: ConversationData) => void;
  autoFocus?: boolean;
  renderSourceLink?: RenderSourceLink;
}

/**
 * A conversation with an agent, over the API. Give it a `key` that changes with the conversation: what it opens is decided
 * when it is mounted.
 */
export function AgentChat(props: AgentChatProps) {
  const { agent, conversationId, onCreated, autoFocus = false, renderSourceLink } = props;
  const [transport] = useState(() => createChatTransport({ conversationId, agentId: agent.id, onCreated }));
  return (
    <Conversation
      agent={agent}
      transport={transport}
      describeError={describeError}
      autoFocus={autoFocus}
      renderSourceLink={renderSourceLink}
    />
  );
}
