import * as z from 'zod';
import { name, PhotoAddress, text, Timestamp, WebAddress } from './common.ts';
import { idOf } from './id.ts';
import {
  AGENT_NAME_MAX_CHARACTERS,
  ALLOWED_ORIGINS_MAX,
  CONVERSATION_STARTER_MAX_CHARACTERS,
  CONVERSATION_STARTERS_MAX,
  INSTRUCTIONS_MAX_CHARACTERS,
  MODEL_FALLBACKS_MAX,
  PROVIDER_TIMEOUT_MS,
} from './limits.ts';
import { AllowedOrigin } from './origin.ts';
import { route } from './route.ts';

const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'Must be a colour like #5b5bd6.');

/** Typed tokens only, never CSS text: a skin cannot smuggle styles or addresses into a page. */
export const Appearance = z.strictObject({
  accent: Colour.default('#5b5bd6'),
  scheme: z.enum(['system', 'light', 'dark']).default('system'),
  radius: z.number().int().min(0).max(24).default(8),
  /** The corner of a site at which the widget waits. */
  position: z.enum(['right', 'left']).default('right'),
});
export type Appearance = z.infer<typeof Appearance>;

/** Which model answers. Null means: the installation's default. */
export const ModelSettings = z.strictObject({
  model: text(120).nullable().default(null),
  temperature: z.number().min(0).max(2).default(0.3),
  maxTokens: z.number().int().min(16).max(32_000).default(1024),
  /** Asked in this order when the one before does not answer. */
  fallbacks: z.array(text(120, 1)).max(MODEL_FALLBACKS_MAX).default([]),
  /** A model that says nothing for so long is given up. */
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
  conversationStarters: z.array(z.string()),
  welcomeMessage: z.string(),
  fallbackMessage: z.string(),
  language: z.string().nullable(),
  modelSettings: ModelSettings,
  /** The sites that may show it; none: all. With a list, nobody chats with it elsewhere but members of the organization. */
  allowedOrigins: z.array(z.string()),
  status: z.enum(['live', 'deleted']),
  version: z.number().int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Chatbot = z.infer<typeof Chatbot>;

/** What anybody who may chat with an agent sees of it; nothing of its instructions, tools or organization. */
export const PublicAgent = z.object({
  id: idOf('agent'),
  name: z.string(),
  handle: z.string(),
  profilePhoto: z.string(),
  appearance: Appearance,
  voiceEnabled: z.boolean(),
  conversationStarters: z.array(z.string()),
  welcomeMessage: z.string(),
});
export type PublicAgent = z.infer<typeof PublicAgent>;

export const NewChatbot = z.strictObject({
  organizationId: idOf('organization'),
  name: name(AGENT_NAME_MAX_CHARACTERS),
  profilePhoto: PhotoAddress.optional(),
});

/** Fields left out stay as they are. With `version`, a save over a newer version is a 409. */
export const ChatbotChanges = z.strictObject({
  id: idOf('agent'),
  organizationId: idOf('organization'),
  name: name(AGENT_NAME_MAX_CHARACTERS).optional(),
  website: WebAddress.nullable().optional(),
  profilePhoto: PhotoAddress.optional(),
  customInstructions: text(INSTRUCTIONS_MAX_CHARACTERS).optional(),
  enableKnowledgeBaseMode: z.boolean().optional(),
  appearance: Appearance.optional(),
  voiceEnabled: z.boolean().optional(),
  isPublic: z.boolean().optional(),
  conversationStarters: ConversationStarters.optional(),
  welcomeMessage: text(500).optional(),
  fallbackMessage: text(500).optional(),
  language: text(35).nullable().optional(),
  modelSettings: ModelSettings.optional(),
  allowedOrigins: z.array(AllowedOrigin).max(ALLOWED_ORIGINS_MAX).optional(),
  version: z.number().int().min(1).optional(),
});

const One = z.object({ chatbot: Chatbot });

export const chatbot = {
  list: route({
    method: 'GET',
    path: '/v1/chatbot',
    summary: "An organization's agents",
    input: z.strictObject({ organizationId: idOf('organization') }),
    output: z.object({ chatbots: z.array(Chatbot) }),
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
      /** At once and for good, with its knowledge and conversations; otherwise everything is kept for 30 days. */
      permanently: z.boolean().default(false),
    }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  /** By id or handle. A private or unknown agent is a 404 to everybody but members of its organization. */
  getPublic: route({
    method: 'GET',
    path: '/v1/agent/{idOrHandle}',
    summary: "An agent's public profile",
    access: 'public',
    visitors: true,
    input: z.strictObject({ idOrHandle: text(64, 1) }),
    output: z.object({ agent: PublicAgent }),
  }),
};
