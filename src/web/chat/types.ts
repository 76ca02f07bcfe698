import type { Offer } from '../../contract/product.ts';
import type { LeadValues } from '../../contract/lead.ts';
import type { AnswerReceipt } from '../../contract/answer.ts';
import type { Handling } from '../../contract/handling.ts';
import type {
  Attachment,
  ChatStreamEvent,
  Citation,
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
  /** The notice that it is an AI, if one is shown. */
  disclosureText?: string;
  conversationStarters: readonly string[];
  /** Whether messages can be dictated and answers read aloud. */
  voiceEnabled?: boolean;
}

export type ChatEvents = AsyncIterable<ChatStreamEvent>;

/** A message a person has composed. */
export interface Sending {
  /** The same each time this message is sent: the server stores it once. */
  key: string;
  text: string;
  attachments: readonly Attachment[];
  /** In a room: for everyone, not for the host. */
  toAll?: boolean;
}

/** A regenerated answer, or the answer to an edited message. */
export type Again =
  | { type: 'retry' }
  | { type: 'regenerate'; messageId: string }
  | { type: 'edit'; messageId: string; text: string }
  /** Allows or denies what a tool wants to do; then the answer continues. */
  | { type: 'decideToolCall'; messageId: string; callId: string; decision: 'allow' | 'deny' }
  /** A service's response to a person who connects their account. */
  | { type: 'accountConnected'; messageId: string; callId: string; state: string; code: string }
  /** A form the person has filled in. */
  | { type: 'submitForm'; messageId: string; callId: string; values: LeadValues };

export type Rating = (typeof ratings)[number];

export interface Feedback {
  rating: Rating | null;
  reason?: (typeof feedbackReasons)[number];
  comment?: string;
}

/** What an agent sells, and buying it. */
export interface Shop {
  offers(): Promise<{ offers: readonly Offer[]; isTestMode: boolean }>;
  /** `url` leads to the provider's page; null if the person already has it. `draft` is the message they wanted to send. */
  begin(productId: string, draft: string): Promise<{ purchaseId: string; url: string | null }>;
  isPaid(purchaseId: string): Promise<boolean>;
  /** True if the provider's page replaces this one and leads back; otherwise it opens alongside. */
  readonly leaves: boolean;
}

/**
 * How the conversation reaches the server; its host decides which calls to use. Optional features are offered to the
 * reader only if provided.
 */
export interface ChatTransport {
  /** False if there is nothing to load until the first message is sent. */
  readonly begun: boolean;
  /** A page of stored messages, newest first; null before a conversation exists. */
  load(cursor: string | undefined, signal: AbortSignal): Promise<MessagePage | null>;
  /** Stores the message, creating the conversation if there is none, and follows the answer. */
  send(message: Sending, signal: AbortSignal): Promise<ChatEvents>;
  /** Follows the answer in progress from its beginning; ends at once if there is none. */
  attach(signal: AbortSignal): Promise<ChatEvents>;
  stop(): Promise<void>;
  /** Calls the listener when the conversation has changed elsewhere, until the returned function is called. */
  watch(listener: () => void): () => void;
  /** Asks again, and follows the answer. */
  again?(ask: Again, signal: AbortSignal): Promise<ChatEvents>;
  /** The address where a person connects their account for a call; null if it is already connected. */
  connect?(messageId: string, callId: string): Promise<string | null>;
  /** Where the reader can buy what is refused until paid for. */
  shop?(): Promise<Shop>;
  /** Shows the branch with this message. */
  choose?(messageId: string): Promise<void>;
  rate?(messageId: string, feedback: Feedback): Promise<void>;
  /** How an answer was made, for those allowed to know. */
  receipt?(messageId: string): Promise<AnswerReceipt>;
  readonly person?: PersonTransport | undefined;
  files?: FileTransport;
  voice?: VoiceTransport;
  /** In a room: sends a message to everyone without asking the host. Returns the stored message. */
  say?(text: string): Promise<Message>;
}

/** From the agent to a person and back. */
export interface PersonTransport {
  /** `notice`: what the visitor is told if nobody is available now. */
  ask(): Promise<{ handling: Handling; notice: string | null }>;
  goOn(): Promise<Handling>;
}

export interface FileTransport {
  add(file: File, signal: AbortSignal): Promise<Attachment>;
  /** The bytes as a data URL; null if no such attachment exists any more. */
  read(attachmentId: string): Promise<string | null>;
}

export interface VoiceTransport {
  /** What the server can do if the browser can't. */
  abilities(): Promise<{ transcription: boolean; speech: boolean }>;
  transcribe(recording: File): Promise<string>;
  /** An answer as audio, as a data URL. */
  speak(messageId: string): Promise<string>;
}

export interface MessagePage {
  messages: Message[];
  nextCursor: string | null;
  /** Who answers; unset if only the agent does. */
  handling?: Handling;
  /** What someone who waits for a person is told if nobody is available now. */
  notice?: string | null;
}

/** A message as shown: stored, or being sent. */
export interface ShownMessage {
  /** Stays the same when an outgoing message becomes a stored one, and while paging through its branches. */
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
  /** For an outgoing message in a room: it is for everyone, not for the host. */
  toAll?: boolean;
}
