import { createContext, useContext } from 'react';
import type { RenderSourceLink } from './passage-panel.tsx';
import type { ChatAgent, ChatTransport } from './types.ts';
import type { Chat } from './use-conversation.ts';

/** What stands beside the messages: the passages of an answer, or how it was made. */
export type Beside = { type: 'passages'; key: string; number: number } | { type: 'receipt'; key: string };

/** What every part of one conversation shares. */
export interface ConversationParts {
  agent: ChatAgent;
  chat: Chat;
  transport: ChatTransport;
  describeError: (error: unknown) => string;
  /** In a room: the reader's own id, to tell their words from those of others. */
  me: string | undefined;
  renderSourceLink: RenderSourceLink | undefined;
  /** The key of the message that is being written anew. */
  editing: string | null;
  setEditing: (key: string | null) => void;
  open: (beside: Beside) => void;
  /** Sends something that was offered. */
  ask: (text: string) => void;
}

export const ConversationContext = createContext<ConversationParts | null>(null);

export function useParts(): ConversationParts {
  const parts = useContext(ConversationContext);
  if (!parts) throw new Error('This part stands within a conversation only.');
  return parts;
}
