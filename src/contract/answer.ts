import * as z from 'zod';
import { Attachment, feedbackReasons, Message, ratings } from './chat.ts';
import { text } from './common.ts';
import { idOf } from './id.ts';
import {
  ATTACHMENT_MAX_BYTES,
  ATTACHMENTS_PER_HOUR_AND_ADDRESS,
  FEEDBACK_MAX_CHARACTERS,
  VOICE_REQUESTS_PER_HOUR_AND_ADDRESS,
} from './limits.ts';
import { route } from './route.ts';
import { toolCallStates } from './tool.ts';

const ofMessage = { id: idOf('conversation'), messageId: idOf('message') };
const Media = z.instanceof(Blob);

/** How an answer was produced; for members who can see the agent. */
export const AnswerReceipt = z.object({
  model: z.string(),
  failedModels: z.array(z.string()),
  agentVersion: z.number().int().nullable(),
  query: z.string().nullable(),
  inputTokens: z.number().int().nullable(),
  /** How many of the input tokens came from the provider's cache. */
  cachedTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  /** US dollars as a decimal, at the prices at the time; null: unknown. */
  costUsd: z.string().nullable(),
  firstTokenMs: z.number().nullable(),
  totalMs: z.number(),
  credits: z.number().int().nullable(),
  /** The tool calls, in order. */
  tools: z.array(z.object({ tool: z.string(), operation: z.string(), state: z.enum(toolCallStates) })),
  passages: z.array(
    z.object({
      chunkId: idOf('chunk'),
      score: z.number(),
      /** Null if the passage no longer exists. */
      title: z.string().nullable(),
      text: z.string().nullable(),
      cited: z.boolean(),
    }),
  ),
});
export type AnswerReceipt = z.infer<typeof AnswerReceipt>;

export const answer = {
  /** A second rating replaces the first; null removes it. */
  rate: route({
    method: 'PUT',
    path: '/v1/chat/{id}/message/{messageId}/feedback',
    summary: 'Rate an answer',
    access: 'chat',
    input: z.strictObject({
      ...ofMessage,
      rating: z.enum(ratings).nullable(),
      reason: z.enum(feedbackReasons).optional(),
      comment: text(FEEDBACK_MAX_CHARACTERS).default(''),
    }),
    output: z.object({ rating: z.enum(ratings).nullable() }),
  }),
  receipt: route({
    method: 'GET',
    path: '/v1/chat/{id}/message/{messageId}/receipt',
    summary: 'How an answer was made',
    input: z.strictObject(ofMessage),
    output: z.object({ receipt: AnswerReceipt }),
  }),
};

export const attachment = {
  /** A picture (PNG, JPEG, WebP, GIF) or a document that knowledge can be read from. Errors: 400 for any other file. */
  add: route({
    method: 'POST',
    path: '/v1/chat/{id}/attachment',
    summary: 'Attach a file to a conversation',
    access: 'chat',
    carrier: 'multipart',
    mediaMaxBytes: ATTACHMENT_MAX_BYTES,
    limit: { requests: ATTACHMENTS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({ id: idOf('conversation'), media: Media }),
    output: z.object({ attachment: Attachment }),
  }),
  /** Its bytes as a data URL, for those who may read the conversation. */
  content: route({
    method: 'GET',
    path: '/v1/chat/{id}/attachment/{attachmentId}',
    summary: 'Read a file of a conversation',
    access: 'chat',
    input: z.strictObject({ id: idOf('conversation'), attachmentId: idOf('attachment') }),
    output: z.object({ attachment: Attachment, data: z.string() }),
  }),
};

export const voice = {
  /** What is offered here. */
  abilities: route({
    method: 'GET',
    path: '/v1/voice',
    summary: 'What voice is available',
    access: 'public',
    visitors: true,
    input: z.strictObject({}),
    output: z.object({ transcription: z.boolean(), speech: z.boolean() }),
  }),
  /** Errors: 409 if the agent doesn't use voice, 503 without a transcription model. */
  transcribe: route({
    method: 'POST',
    path: '/v1/chat/{id}/transcription',
    summary: 'Transcribe speech',
    access: 'chat',
    carrier: 'multipart',
    mediaMaxBytes: ATTACHMENT_MAX_BYTES,
    limit: { requests: VOICE_REQUESTS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({ id: idOf('conversation'), media: Media }),
    output: z.object({ text: z.string() }),
  }),
  /** An answer read aloud, as a data URL. Errors: 409 if the agent doesn't use voice, 503 without a speech model. */
  speak: route({
    method: 'POST',
    path: '/v1/chat/{id}/message/{messageId}/speech',
    summary: 'Read an answer aloud',
    access: 'chat',
    limit: { requests: VOICE_REQUESTS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject(ofMessage),
    output: z.object({ audio: z.string() }),
  }),
  /**
   * Leaves a voice message in a `voicemail` conversation: the recording is kept and, if it can be transcribed,
   * answered. `answer` is null if it can't: then a person has to listen to it.
   */
  leave: route({
    method: 'POST',
    path: '/v1/chat/{id}/recording',
    summary: 'Leave a voice message',
    access: 'chat',
    carrier: 'multipart',
    mediaMaxBytes: ATTACHMENT_MAX_BYTES,
    limit: { requests: VOICE_REQUESTS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({ id: idOf('conversation'), media: Media }),
    output: z.object({ message: Message, answer: Message.nullable() }),
  }),
};
