import * as z from 'zod';
import { AgentVersion, Attachments, MessageText, Page, Seen } from './chat-inputs.ts';
import { name, nextCursor, OrderBy, page, text, Timestamp } from './common.ts';
import { handlingNow, handlings } from './handling.ts';
import { idOf } from './id.ts';
import { CONVERSATION_TITLE_MAX_CHARACTERS, TOOL_LOGINS_PER_HOUR_AND_ADDRESS } from './limits.ts';
import { LeadField, LeadValues } from './lead.ts';
import { PublicAgent } from './chatbot.ts';
import { pluginTypes } from './plugin-names.ts';
import { route } from './route.ts';
import { ProductCard } from './source.ts';
import { toolCallNeeds, toolCallStates } from './tool.ts';

export const messageRoles = ['user', 'assistant', 'system', 'tool', 'operator'] as const;

/**
 * `pending`: stored, not started. `streaming`: being written. `complete`: finished. `stopped`: ended by the person.
 * `failed`: nothing usable came. `incomplete`: cut off by a failure or the maximum length. `waiting`: continues once
 * the person has decided whether its tools may be called, which is possible as long as it is the last message.
 */
export const messageStates = [
  'pending',
  'streaming',
  'complete',
  'stopped',
  'failed',
  'incomplete',
  'waiting',
] as const;
export type MessageState = (typeof messageStates)[number];

/** `game`: a room of several people with the agent as host. `voicemail`: recordings, each of them answered. */
export const conversationKinds = ['chat', 'game', 'voicemail'] as const;
export type ConversationKind = (typeof conversationKinds)[number];

export const ratings = ['up', 'down'] as const;
/** What was wrong with an answer. */
export const feedbackReasons = ['wrong', 'incomplete', 'off-topic', 'unclear', 'harmful', 'other'] as const;

/** A file sent with a message. `attachment.content` returns its content. */
export const Attachment = z.object({
  id: idOf('attachment'),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int(),
});
export type Attachment = z.infer<typeof Attachment>;

/** A person who spoke: in a room, or a member who answers instead of the agent. */
export const Author = z.object({ id: idOf('user'), name: z.string(), profilePhoto: z.string() });
export type Author = z.infer<typeof Author>;

/** A pointer from an answer's `[n]` to the passage it relies on. */
export const Citation = z.object({
  /** The n in `[n]`. */
  number: z.number().int(),
  chunkId: idOf('chunk'),
  sourceId: idOf('source'),
  knowledgeId: idOf('knowledge'),
  title: z.string(),
  /** The page's address; null for files and texts. */
  url: z.string().nullable(),
  headingPath: z.array(z.string()),
  /** One-based page of a paged document. */
  page: z.number().int().nullable(),
  /** Characters from the start of the source's text; null for citations older than this field. */
  offset: z.number().int().nullable(),
  /** The passage itself. */
  text: z.string(),
  /** The item for sale that the passage describes. */
  card: ProductCard.nullable(),
});
export type Citation = z.infer<typeof Citation>;

/** A tool call in an answer, in plain words taken from the tool's description, never from the model. */
export const MessageToolCall = z.object({
  id: idOf('toolCall'),
  /** The tool's name. */
  tool: z.string(),
  summary: z.string(),
  /** `expired`: it waited too long for a decision. */
  state: z.enum([...toolCallStates, 'expired']),
  /** For a `rehearsed` call: whether the model was given the recorded answer of an earlier call. */
  isRecorded: z.boolean(),
  /** While it waits: for what. */
  waitsFor: z.enum(toolCallNeeds).nullable(),
  /** While it waits for an account: the host where the person signs in. */
  service: z.string().nullable(),
  /** While it waits for a form: the fields to fill in; otherwise empty. */
  form: z.array(LeadField),
  /** While it waits for the person's permission: what will be sent; otherwise empty. */
  values: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type MessageToolCall = z.infer<typeof MessageToolCall>;

export const Message = z.object({
  id: idOf('message'),
  conversationId: idOf('conversation'),
  role: z.enum(messageRoles),
  text: z.string(),
  state: z.enum(messageStates),
  citations: z.array(Citation),
  attachments: z.array(Attachment),
  /** Questions that may follow an answer. */
  suggestions: z.array(z.string()),
  /** In the order they were requested. */
  toolCalls: z.array(MessageToolCall),
  /**
   * In a room, the speaker; for an `operator`, the member who wrote. Null for the agent and for a conversation's own
   * end user.
   */
  author: Author.nullable(),
  /** The message this one follows; null for the first. */
  parentId: idOf('message').nullable(),
  /** The branches at this point, oldest first: this message and its alternatives, which follow the same message. */
  siblings: z.array(idOf('message')),
  /** The reader's rating of the answer. */
  rating: z.enum(ratings).nullable(),
  /** Why an answer failed or stayed incomplete, worded for the reader. */
  error: z.string().nullable(),
  /** Position in the conversation, from 1. Increases over time along every branch, skipping the numbers of other branches. */
  sequence: z.number().int(),
  createdAt: Timestamp,
});
export type Message = z.infer<typeof Message>;

export const Conversation = z.object({
  id: idOf('conversation'),
  kind: z.enum(conversationKinds),
  title: z.string(),
  agent: PublicAgent,
  /** Whether the reader opened it: people who only joined a room can't rename, pin or delete it. */
  own: z.boolean(),
  /** Whether a member has written something that the reader has not seen yet. */
  unread: z.boolean(),
  pinned: z.boolean(),
  /** Not listed, and deleted a day after the last message. */
  temporary: z.boolean(),
  /** The version being tried here instead of the live one; null elsewhere. */
  version: z.union([z.literal('draft'), z.number().int()]).nullable(),
  /** The channel it takes place in; null on our own pages and for programs. */
  channel: z.enum(pluginTypes).nullable(),
  /** Tool calls that do more than read aren't made here. */
  dryRun: z.boolean(),
  handling: z.enum(handlings),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Conversation = z.infer<typeof Conversation>;

export const chat = {
  list: route({
    method: 'GET',
    path: '/v1/chat',
    summary: 'My conversations, pinned first, then newest first',
    access: 'chat',
    input: z.strictObject({
      cursor: page.cursor,
      count: page.count,
      /** Only of this kind. */
      kind: z.enum(conversationKinds).optional(),
      /**
       * Excludes conversations in which nothing was said, for example because the first message was refused. Rooms and
       * titled conversations are included.
       */
      begun: z.enum(['true']).optional(),
    }),
    output: z.object({ conversations: z.array(Conversation), nextCursor }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/chat/{id}',
    summary: 'Read a conversation',
    access: 'chat',
    input: z.strictObject({ id: idOf('conversation'), seen: Seen }),
    output: z.object({ conversation: Conversation }),
  }),
  /**
   * Starts a conversation with an agent, which visitors and programs with the agent's key needn't name. With `text`,
   * the first message is stored and the agent starts to answer; `attach` follows the answer.
   */
  create: route({
    method: 'POST',
    path: '/v1/chat',
    summary: 'Start a conversation',
    access: 'chat',
    input: z.strictObject({
      chatbotId: idOf('agent').optional(),
      title: name(CONVERSATION_TITLE_MAX_CHARACTERS).optional(),
      text: MessageText.optional(),
      kind: z.enum(conversationKinds).default('chat'),
      temporary: z.boolean().default(false),
      /** For members who see the agent: a version other than the live one answers. Such a conversation is temporary. */
      version: AgentVersion.optional(),
      /** With `version`: services are only called to read. Without one, calls are always made. */
      dryRun: z.boolean().default(true),
      page: Page.optional(),
    }),
    output: z.object({ conversation: Conversation }),
  }),
  /** Of the branch shown. */
  listMessages: route({
    method: 'GET',
    path: '/v1/chat/{id}/message',
    summary: 'The messages of a conversation',
    access: 'chat',
    input: z.strictObject({
      id: idOf('conversation'),
      cursor: page.cursor,
      count: page.count,
      orderBy: OrderBy.default('asc'),
      seen: Seen,
    }),
    output: z.object({ messages: z.array(Message), nextCursor, ...handlingNow }),
  }),
  /**
   * JSON: the finished answer. `Accept: text/event-stream`: the answer as it is generated. Repeating an
   * `Idempotency-Key` refers to the same message: its answer is returned, or followed while it is in progress (as a
   * stream; JSON is a 409 until then). `answer` is null where a person is to answer (`handling`); the stream then ends
   * after the message, without `finish`. Errors: 402 when the organization has no credits left.
   */
  send: route({
    method: 'POST',
    path: '/v1/chat/{id}/message',
    summary: 'Send a message',
    access: 'chat',
    streams: true,
    input: z.strictObject({
      id: idOf('conversation'),
      text: MessageText,
      attachments: Attachments,
      page: Page.optional(),
    }),
    output: z.object({ message: Message, answer: Message.nullable() }),
  }),
  /**
   * Answers the last message again if its answer failed, was stopped or stayed incomplete. Here, in `regenerate` and in
   * `edit`, repeating an `Idempotency-Key` gives the same answer, as in `send`. Errors: 409 `chat/nothing-to-answer` if
   * the answer is complete.
   */
  retry: route({
    method: 'POST',
    path: '/v1/chat/{id}/retry',
    summary: 'Retry the last message',
    access: 'chat',
    streams: true,
    input: z.strictObject({ id: idOf('conversation') }),
    output: z.object({ message: Message, answer: Message }),
  }),
  /** Generates another answer to the same message, as a new branch. */
  regenerate: route({
    method: 'POST',
    path: '/v1/chat/{id}/message/{messageId}/regenerate',
    summary: 'Regenerate an answer',
    access: 'chat',
    streams: true,
    input: z.strictObject({ id: idOf('conversation'), messageId: idOf('message') }),
    output: z.object({ message: Message, answer: Message }),
  }),
  /** Replaces an earlier message in a new branch and answers it. */
  edit: route({
    method: 'POST',
    path: '/v1/chat/{id}/message/{messageId}/edit',
    summary: 'Edit a message and send it again',
    access: 'chat',
    streams: true,
    input: z.strictObject({ id: idOf('conversation'), messageId: idOf('message'), text: MessageText }),
    output: z.object({ message: Message, answer: Message }),
  }),
  /**
   * Decides whether a waiting call may be made, from any device. When no other call of the answer is waiting, the
   * answer resumes, in the same way as a new one. Errors: 409 when the call no longer waits, or waits for an account
   * that isn't connected.
   */
  decideToolCall: route({
    method: 'POST',
    path: '/v1/chat/{id}/message/{messageId}/tool-call/{callId}',
    summary: 'Allow or deny a tool call',
    access: 'chat',
    streams: true,
    input: z.strictObject({
      id: idOf('conversation'),
      messageId: idOf('message'),
      callId: idOf('toolCall'),
      decision: z.enum(['allow', 'deny']),
    }),
    output: z.object({ message: Message, answer: Message }),
  }),
  /**
   * Starts connecting the person's account for a call that waits for it: returns an address of the service to open,
   * valid once and for ten minutes. It leads back to `/connected`, which hands `state` and `code` to the conversation.
   * Null: an account is already connected, and the call can be allowed.
   */
  connectAccount: route({
    method: 'POST',
    path: '/v1/chat/{id}/message/{messageId}/tool-call/{callId}/connect',
    summary: 'Start to connect an account',
    access: 'chat',
    limit: { requests: TOOL_LOGINS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({
      id: idOf('conversation'),
      messageId: idOf('message'),
      callId: idOf('toolCall'),
    }),
    output: z.object({ url: z.string().nullable() }),
  }),
  /**
   * Handles the service's response: saves the account, for this person and tool only. The call then waits for the
   * person's decision, or the answer resumes if none is needed. Errors: 400 for a state that this person didn't start
   * for this call, that was used or is too old, and for a code the service doesn't recognize.
   */
  accountConnected: route({
    method: 'POST',
    path: '/v1/chat/{id}/message/{messageId}/tool-call/{callId}/connected',
    summary: 'Connect an account',
    access: 'chat',
    streams: true,
    limit: { requests: TOOL_LOGINS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({
      id: idOf('conversation'),
      messageId: idOf('message'),
      callId: idOf('toolCall'),
      state: text(200, 1),
      code: text(4000, 1),
    }),
    output: z.object({ message: Message, answer: Message }),
  }),
  /**
   * Accepts what the person filled in, once; the answer then resumes. Errors: 400 at `values.key`, 409 when it no
   * longer waits.
   */
  submitForm: route({
    method: 'POST',
    path: '/v1/chat/{id}/message/{messageId}/tool-call/{callId}/form',
    summary: "Fill in a tool call's form",
    access: 'chat',
    streams: true,
    input: z.strictObject({
      id: idOf('conversation'),
      messageId: idOf('message'),
      callId: idOf('toolCall'),
      values: LeadValues,
    }),
    output: z.object({ message: Message, answer: Message }),
  }),
  /** Switches to the branch that contains this message; the next message continues it. */
  choose: route({
    method: 'PUT',
    path: '/v1/chat/{id}/branch',
    summary: 'Choose a branch',
    access: 'chat',
    input: z.strictObject({ id: idOf('conversation'), messageId: idOf('message') }),
    output: z.object({ messageId: idOf('message') }),
  }),
  /** Follows the answer in progress from its start; if there is none, the stream ends immediately. */
  attach: route({
    method: 'GET',
    path: '/v1/chat/{id}/stream',
    summary: 'Follow the answer in progress',
    access: 'chat',
    streams: true,
    input: z.strictObject({ id: idOf('conversation') }),
    output: z.object({ answer: Message.nullable() }),
  }),
  stop: route({
    method: 'POST',
    path: '/v1/chat/{id}/stop',
    summary: 'Stop the answer in progress',
    access: 'chat',
    input: z.strictObject({ id: idOf('conversation') }),
    output: z.object({ stopped: z.boolean() }),
  }),
};

/**
 * The events of a streamed answer: the subset of the AI SDK UI message stream that this API sends. `data-message`
 * carries a stored message (the person's first, the answer's last), `data-citations` the passages given to the model,
 * `data-tool-calls` all calls of the answer whenever one is added or changes. A tool's input and output stay on the
 * server: `input` and `output` are empty.
 */
export type ChatStreamEvent =
  | { type: 'start'; messageId: string }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
  | { type: 'data-message'; data: Message }
  | { type: 'data-citations'; data: Citation[] }
  | { type: 'tool-input-available'; toolCallId: string; toolName: string; input: Record<string, never> }
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | { type: 'tool-output-available'; toolCallId: string; output: Record<string, never> }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: 'data-tool-calls'; data: MessageToolCall[] }
  | { type: 'error'; errorText: string }
  | { type: 'abort' }
  | { type: 'finish' };
