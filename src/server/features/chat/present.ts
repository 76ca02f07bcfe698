import type { Conversation, Message } from '../../../contract/chat.ts';
import type { Agent } from '../../access/gate.ts';
import { publicAgentOf } from '../../access/present-agent.ts';
import { citationOf } from './citations.ts';
import type { StoredConversation, StoredMessage } from './store.ts';

export function messageOf({
  id,
  conversationId,
  role,
  text,
  state,
  citations,
  error,
  sequence,
  createdAt,
}: StoredMessage): Message {
  return {
    id,
    conversationId,
    role,
    text,
    state,
    citations: citations.map(citationOf),
    error,
    sequence,
    createdAt: createdAt.toISOString(),
  };
}

export function conversationOf(
  { id, title, createdAt, updatedAt }: StoredConversation,
  agent: Agent,
): Conversation {
  return {
    id,
    title: title || agent.name,
    agent: publicAgentOf(agent),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
