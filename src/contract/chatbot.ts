import * as z from 'zod';
import { Appearance } from './appearance.ts';
import {
  AgentAddress,
  name,
  nextCursor,
  pageIfAsked,
  PhotoAddress,
  text,
  Timestamp,
  TimeZone,
  WebAddress,
} from './common.ts';
import { Disclosure, GivenDisclosure } from './disclosure.ts';
import { idOf } from './id.ts';
import {
  AGENT_NAME_MAX_CHARACTERS,
  ALLOWED_ORIGINS_MAX,
  CONVERSATION_STARTER_MAX_CHARACTERS,
  CONVERSATION_STARTERS_MAX,
  IMAGE_MAX_BYTES,
  INSTRUCTIONS_IMPROVED_PER_HOUR_AND_ADDRESS,
  INSTRUCTIONS_MAX_CHARACTERS,
  MODEL_FALLBACKS_MAX,
  PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS,
  PROVIDER_TIMEOUT_MS,
} from './limits.ts';
import { AllowedOrigin } from './origin.ts';
import { route } from './route.ts';

/** Which model answers. Null: the installation's default. */
export const ModelSettings = z.strictObject({
  model: text(120).nullable().default(null),
  temperature: z.number().min(0).max(2).default(0.3),
  maxTokens: z.number().int().min(16).max(32_000).default(1024),
  /** Tried in this order when the previous model doesn't answer. */
  fallbacks: z.array(text(120, 1)).max(MODEL_FALLBACKS_MAX).default([]),
  /** A model that stays silent this long is abandoned. */
  timeoutSeconds: z
    .number()
    .int()
    .min(5)
    .max(300)
    .default(PROVIDER_TIMEOUT_MS / 1000),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

const ConversationStarters = z
  .array(name(CONVERSATION_STARTER_MAX_CHARACTERS))
  .max(CONVERSATION_STARTERS_MAX);

/** A BCP 47 tag: `de`, `pt-BR`. Passed to models and browsers. */
const LanguageTag = text(35).regex(
  /^[A-Za-z]{2,3}(-[A-Za-z\d]{1,8})*$/,
  'Must be a language like de or pt-BR.',
);

export const HANDLE_MAX_CHARACTERS = 50;

/** An agent's name in its public addresses, `/chat/…` and `/s/…`. Ids contain an underscore, so the two can't be confused. */
const Handle = text(HANDLE_MAX_CHARACTERS, 3).regex(
  /^[a-z\d]+(?:-[a-z\d]+)*$/,
  'Use lowercase letters, digits and single hyphens.',
);

export const Chatbot = z.object({
  id: idOf('agent'),
  organizationId: idOf('organization'),
  name: z.string(),
  handle: z.string(),
  website: z.string().nullable(),
  profilePhoto: z.string(),
  customInstructions: z.string(),
  enableKnowledgeBaseMode: z.boolean(),
  appearance: Appearance,
  voiceEnabled: z.boolean(),
  isPublic: z.boolean(),
  /** Whether end users can ask for a person. */
  offersPerson: z.boolean(),
  conversationStarters: z.array(z.string()),
  welcomeMessage: z.string(),
  fallbackMessage: z.string(),
  disclosure: Disclosure,
  language: z.string().nullable(),
  modelSettings: ModelSettings,
  /**
   * The sites that may embed it; none: all. If the list isn't empty, only members of the organization can chat with it
   * elsewhere.
   */
  allowedOrigins: z.array(z.string()),
  status: z.enum(['live', 'deleted']),
  /** The number of the draft, whose content this is. */
  version: z.number().int(),
  /** The version everyone gets. Null: nothing has been published yet, and every save takes effect at once. */
  liveVersion: z.number().int().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Chatbot = z.infer<typeof Chatbot>;

/** The last seven days. Conversations in which a member tries a version don't count. */
export const Week = z.object({
  conversations: z.number().int(),
  people: z.number().int(),
  /** From end users. */
  questions: z.number().int(),
  /** Replies that contain an answer; those that say there is none; those that failed or broke off. */
  answered: z.number().int(),
  unanswered: z.number().int(),
  broken: z.number().int(),
  /** The share of all these that contain an answer; null: there were none. */
  answerRate: z.number().nullable(),
  ratedUp: z.number().int(),
  ratedDown: z.number().int(),
});
export type Week = z.infer<typeof Week>;

/** What anyone who can chat with an agent sees of it; nothing about its instructions, tools or organization. */
export const PublicAgent = z.object({
  id: idOf('agent'),
  name: z.string(),
  handle: z.string(),
  profilePhoto: z.string(),
  appearance: Appearance,
  voiceEnabled: z.boolean(),
  offersPerson: z.boolean(),
  conversationStarters: z.array(z.string()),
  welcomeMessage: z.string(),
  /**
   * States that this is an AI, in the reader's language if a text exists for it; shown before the first message. Empty:
   * not stated.
   */
  disclosureText: z.string(),
});
export type PublicAgent = z.infer<typeof PublicAgent>;

export const NewChatbot = z.strictObject({
  organizationId: idOf('organization'),
  name: name(AGENT_NAME_MAX_CHARACTERS),
  profilePhoto: PhotoAddress.optional(),
});

/**
 * The values the client had read for the fields that a save changes. An omitted field doesn't get its default: nothing
 * was read of it.
 */
const Seen = z
  .strictObject({
    ...Chatbot.omit({
      id: true,
      organizationId: true,
      status: true,
      version: true,
      liveVersion: true,
      createdAt: true,
      updatedAt: true,
    }).shape,
    disclosure: Disclosure.unwrap(),
  })
  .partial();
export type Seen = z.infer<typeof Seen>;

/**
 * Omitted fields stay as they are. What a version holds (`version.ts`) is saved as a draft; the rest takes effect at
 * once. With `version`, saving over a newer draft is a 409; with `seen`, so is saving over what someone else has since
 * saved in the same field, and `now` in its `errors` holds the current value.
 */
export const ChatbotChanges = z.strictObject({
  id: idOf('agent'),
  organizationId: idOf('organization'),
  name: name(AGENT_NAME_MAX_CHARACTERS).optional(),
  /** Addresses with the previous handle stop working. A 409 when another agent has it. */
  handle: Handle.optional(),
  website: WebAddress.nullable().optional(),
  profilePhoto: PhotoAddress.optional(),
  customInstructions: text(INSTRUCTIONS_MAX_CHARACTERS).optional(),
  enableKnowledgeBaseMode: z.boolean().optional(),
  appearance: Appearance.optional(),
  voiceEnabled: z.boolean().optional(),
  isPublic: z.boolean().optional(),
  offersPerson: z.boolean().optional(),
  conversationStarters: ConversationStarters.optional(),
  welcomeMessage: text(500).optional(),
  fallbackMessage: text(500).optional(),
  disclosure: GivenDisclosure.optional(),
  language: LanguageTag.nullable().optional(),
  modelSettings: ModelSettings.optional(),
  allowedOrigins: z.array(AllowedOrigin).max(ALLOWED_ORIGINS_MAX).optional(),
  version: z.number().int().min(1).optional(),
  seen: Seen.optional(),
});

const One = z.object({ chatbot: Chatbot });

export const chatbot = {
  list: route({
    method: 'GET',
    path: '/v1/chatbot',
    summary: "An organization's agents",
    input: z.strictObject({ organizationId: idOf('organization'), ...pageIfAsked }),
    output: z.object({ chatbots: z.array(Chatbot), nextCursor }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/chatbot/{id}',
    summary: 'Read an agent',
    input: z.strictObject({ id: idOf('agent'), organizationId: idOf('organization') }),
    output: One,
  }),
  create: route({
    method: 'POST',
    path: '/v1/chatbot',
    summary: 'Create an agent',
    input: NewChatbot,
    output: One,
  }),
  update: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}',
    summary: 'Change an agent',
    input: ChatbotChanges,
    output: One,
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/chatbot/{id}',
    summary: 'Delete an agent',
    carrier: 'body',
    input: z.strictObject({
      id: idOf('agent'),
      organizationId: idOf('organization'),
      /** Immediately and permanently, with its knowledge and conversations; otherwise everything is kept for 30 days. */
      permanently: z.boolean().default(false),
    }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  week: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/week',
    summary: "An agent's last seven days, compared with the seven before",
    input: z.strictObject({
      id: idOf('agent'),
      organizationId: idOf('organization'),
      timeZone: TimeZone.default('UTC'),
    }),
    output: z.object({ week: Week, before: Week }),
  }),
  /**
   * Rewrites instructions the way a model would phrase them better. Nothing is saved. Costs one credit. Errors: 503 if
   * only the built-in model is available, 402 without credits.
   */
  improveInstructions: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/instructions/improve',
    summary: 'Improve instructions',
    limit: { requests: INSTRUCTIONS_IMPROVED_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({
      id: idOf('agent'),
      organizationId: idOf('organization'),
      customInstructions: text(INSTRUCTIONS_MAX_CHARACTERS),
    }),
    output: z.object({ customInstructions: z.string() }),
  }),
  /**
   * Stores a re-encoded picture for an agent: a photo as a square around the face or the middle, a logo or a picture
   * whole. Its address can then be assigned to this agent, and to no other.
   */
  uploadImage: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/upload/image',
    summary: 'Upload a picture for an agent',
    carrier: 'multipart',
    mediaMaxBytes: IMAGE_MAX_BYTES,
    limit: { requests: PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({
      id: idOf('agent'),
      purpose: z.enum(['photo', 'logo', 'picture']).default('photo'),
      media: z.instanceof(Blob),
    }),
    output: z.object({ url: z.string() }),
  }),
  /** By id or handle. A private or unknown agent is a 404 for everyone except members of its organization. */
  getPublic: route({
    method: 'GET',
    path: '/v1/agent/{idOrHandle}',
    summary: "An agent's public profile",
    access: 'public',
    visitors: true,
    input: z.strictObject({ idOrHandle: AgentAddress }),
    output: z.object({ agent: PublicAgent }),
  }),
};
