import { createContext, useContext } from 'react';
import type { RenderSourceLink } from './passage-panel.tsx';
import type { ChatAgent, ChatTransport } from './types.ts';
import type { Chat } from './use-conversation.ts';

/** What is shown beside the messages: an answer's passages, or how it was made. */
export type Beside = { type: 'passages'; key: string; number: number } | { type: 'receipt'; key: string };

/** Shared by every part of one conversation. */
export interface ConversationParts {
  agent: ChatAgent;
  chat: Chat;
  transport: ChatTransport;
  describeError: (error: unknown) => string;
  /** In a room: the reader's own ID, to tell their messages from others'. */
  me: string | undefined;
  /** What a screen reader calls the end user if the reader may be somebody else. */
  asker?: string;
  renderSourceLink: RenderSourceLink | undefined;
  /** The key of the message being edited. */
  editing: string | null;
  setEditing: (key: string | null) => void;
  open: (beside: Beside) => void;
  /** Sends a suggestion. */
  ask: (text: string) => void;
}

export const ConversationContext = createContext<ConversationParts | null>(null);

export function useParts(): ConversationParts {
  const parts = useContext(ConversationContext);
  if (!parts) throw new Error('This part stands within a conversation only.');
  return parts;
}
