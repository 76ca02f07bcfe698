import type { ChatStreamEvent, Citation, Message, MessageState } from '../../contract/chat.ts';

/** What the conversation shows of its agent. */
export interface ChatAgent {
  name: string;
  profilePhoto: string;
  welcomeMessage: string;
  conversationStarters: readonly string[];
}

export type ChatEvents = AsyncIterable<ChatStreamEvent>;

/** How the conversation reaches the server; whoever shows it decides by which calls. */
export interface ChatTransport {
  /** False where there is nothing to read until the first message is sent. */
  readonly begun: boolean;
  /** A page of stored messages, newest first; null before a conversation exists. */
  load(cursor: string | undefined, signal: AbortSignal): Promise<MessagePage | null>;
  /** Stores the message, creating the conversation if there is none, and follows the answer. */
  send(text: string, signal: AbortSignal): Promise<ChatEvents>;
  /** Follows the answer under way from its beginning; ends at once when there is none. */
  attach(signal: AbortSignal): Promise<ChatEvents>;
  stop(): Promise<void>;
  /** Calls the listener when the conversation has changed elsewhere, until the returned function is called. */
  watch(listener: () => void): () => void;
}

export interface MessagePage {
  messages: Message[];
  nextCursor: string | null;
}

/** A message as it is shown: stored, or on its way. */
export interface ShownMessage {
  /** Stays the same while a message turns from sent to stored. */
  key: string;
  id: string | null;
  role: Message['role'];
  text: string;
  /** `unsent`: the server does not have it. */
  state: MessageState | 'unsent';
  citations: Citation[];
  error: string | null;
}
