import type { Offer } from '../../contract/product.ts';
import type { LeadValues } from '../../contract/lead.ts';
import type { AnswerReceipt } from '../../contract/answer.ts';
import type {
  Attachment,
  ChatStreamEvent,
  Citation,
  Handling,
  feedbackReasons,
  Message,
  MessageState,
  MessageToolCall,
  ratings,
} from '../../contract/chat.ts';

/** What the conversation shows of its agent. */
export interface ChatAgent {
  name: string;
  profilePhoto: string;
  welcomeMessage: string;
  /** That it is an AI, where that is said. */
  disclosureText?: string;
  conversationStarters: readonly string[];
  /** Whether messages may be dictated and answers read aloud. */
  voiceEnabled?: boolean;
}

export type ChatEvents = AsyncIterable<ChatStreamEvent>;

/** What a person has composed. */
export interface Sending {
  /** The same each time this message is sent: the server stores it once. */
  key: string;
  text: string;
  attachments: readonly Attachment[];
  /** In a room: for everybody, not for the host. */
  toAll?: boolean;
}

/** An answer that is made once more, or the answer to something said in place of an earlier message. */
export type Again =
  | { type: 'retry' }
  | { type: 'regenerate'; messageId: string }
  | { type: 'edit'; messageId: string; text: string }
  /** What a tool wants to do is allowed or not; then the answer goes on. */
  | { type: 'decideToolCall'; messageId: string; callId: string; decision: 'allow' | 'deny' }
  /** What a service answered to a person who connects their account. */
  | { type: 'accountConnected'; messageId: string; callId: string; state: string; code: string }
  /** What the person has filled in. */
  | { type: 'submitForm'; messageId: string; callId: string; values: LeadValues };

export type Rating = (typeof ratings)[number];

export interface Feedback {
  rating: Rating | null;
  reason?: (typeof feedbackReasons)[number];
  comment?: string;
}

/** What of an agent is for sale, and buying it. */
export interface Shop {
  offers(): Promise<{ offers: readonly Offer[]; isTestMode: boolean }>;
  /** `url` leads to the provider's page; null where the person has it now. `draft` is what they wanted to say. */
  begin(productId: string, draft: string): Promise<{ purchaseId: string; url: string | null }>;
  isPaid(purchaseId: string): Promise<boolean>;
  /** The provider's page takes the place of this one, and leads back; else it opens beside it. */
  readonly leaves: boolean;
}

/**
 * How the conversation reaches the server; whoever shows it decides by which calls. What is optional is offered to the
 * reader only where it is given.
 */
export interface ChatTransport {
  /** False where there is nothing to read until the first message is sent. */
  readonly begun: boolean;
  /** A page of stored messages, newest first; null before a conversation exists. */
  load(cursor: string | undefined, signal: AbortSignal): Promise<MessagePage | null>;
  /** Stores the message, creating the conversation if there is none, and follows the answer. */
  send(message: Sending, signal: AbortSignal): Promise<ChatEvents>;
  /** Follows the answer under way from its beginning; ends at once when there is none. */
  attach(signal: AbortSignal): Promise<ChatEvents>;
  stop(): Promise<void>;
  /** Calls the listener when the conversation has changed elsewhere, until the returned function is called. */
  watch(listener: () => void): () => void;
  /** Asks again, and follows the answer. */
  again?(ask: Again, signal: AbortSignal): Promise<ChatEvents>;
  /** The address at which a person connects their account for a call; null when it is there already. */
  connect?(messageId: string, callId: string): Promise<string | null>;
  /** Where what is refused until it is paid for can be bought. */
  shop?(): Promise<Shop>;
  /** Shows the branch that holds this message. */
  choose?(messageId: string): Promise<void>;
  rate?(messageId: string, feedback: Feedback): Promise<void>;
  /** How an answer was made, for those who may know. */
  receipt?(messageId: string): Promise<AnswerReceipt>;
  readonly person?: PersonTransport | undefined;
  files?: FileTransport;
  voice?: VoiceTransport;
  /** In a room: says something to all without asking the host. Answers the message as it is stored. */
  say?(text: string): Promise<Message>;
}

/** From the agent to a person and back. */
export interface PersonTransport {
  /** `notice`: what the person is told where nobody is there now. */
  ask(): Promise<{ handling: Handling; notice: string | null }>;
  goOn(): Promise<Handling>;
}

export interface FileTransport {
  add(file: File, signal: AbortSignal): Promise<Attachment>;
  /** The bytes, as a data address; null where nothing was attached that is still there. */
  read(attachmentId: string): Promise<string | null>;
}

export interface VoiceTransport {
  /** What the server can do where the browser can't. */
  abilities(): Promise<{ transcription: boolean; speech: boolean }>;
  transcribe(recording: File): Promise<string>;
  /** An answer as sound, as a data address. */
  speak(messageId: string): Promise<string>;
}

export interface MessagePage {
  messages: Message[];
  nextCursor: string | null;
  /** Who answers; unset where it is the agent alone. */
  handling?: Handling;
}

/** A message as it is shown: stored, or on its way. */
export interface ShownMessage {
  /** Stays the same while a message turns from sent to stored, and while its branches are paged through. */
  key: string;
  id: string | null;
  role: Message['role'];
  text: string;
  /** `unsent`: the server does not have it. */
  state: MessageState | 'unsent';
  citations: readonly Citation[];
  attachments: readonly Attachment[];
  suggestions: readonly string[];
  toolCalls: readonly MessageToolCall[];
  author: Message['author'];
  siblings: readonly string[];
  rating: Rating | null;
  error: string | null;
  /** Of one on its way in a room: it is for everybody, not for the host. */
  toAll?: boolean;
}
