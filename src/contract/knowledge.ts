import * as z from 'zod';
import { text, Timestamp, WebAddress } from './common.ts';
import { idOf } from './id.ts';
import { KNOWLEDGE_FILES_MAX, KNOWLEDGE_LINKS_MAX, KNOWLEDGE_TEXT_MAX_CHARACTERS } from './limits.ts';
import { route } from './route.ts';

export const knowledgeTypes = ['text', 'file', 'website'] as const;

/** The way of an item; `failed` comes with the reason and what to do. */
export const knowledgeStates = ['queued', 'fetching', 'extracting', 'embedding', 'ready', 'failed'] as const;
export type KnowledgeState = (typeof knowledgeStates)[number];

/** Progress of one item, as the socket pushes it and the progress call answers it. Counts are sources. */
export const KnowledgeItemProgress = z.object({
  knowledgeId: idOf('knowledge'),
  state: z.enum(knowledgeStates),
  done: z.number().int(),
  failed: z.number().int(),
  total: z.number().int(),
  error: z.string().nullable(),
});

export const KnowledgeProgress = z.object({
  agentId: idOf('agent'),
  items: z.array(KnowledgeItemProgress),
});
export type KnowledgeProgress = z.infer<typeof KnowledgeProgress>;

export const FileReference = z.object({
  id: idOf('file'),
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.number().int(),
});
export type FileReference = z.infer<typeof FileReference>;

export const Knowledge = z.object({
  id: idOf('knowledge'),
  knowledgeId: idOf('knowledge'),
  type: z.enum(knowledgeTypes),
  /** The title of the item; for a text item its text is in `text`. */
  description: z.string(),
  text: z.string().nullable(),
  links: z.array(z.string()),
  files: z.array(FileReference),
  progress: KnowledgeItemProgress,
  /** Size of the extracted text. */
  characters: z.number().int(),
  chunks: z.number().int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Knowledge = z.infer<typeof Knowledge>;

const agentParameter = { id: idOf('agent') };
const itemParameters = { ...agentParameter, knowledgeId: idOf('knowledge') };
const One = z.object({ knowledge: Knowledge });

/**
 * A new item. `text` needs a description, which is the text itself unless `text` is given; `file` needs files,
 * `website` needs links.
 */
export const NewKnowledge = z.strictObject({
  ...agentParameter,
  organizationId: idOf('organization'),
  type: z.enum(knowledgeTypes),
  description: text(KNOWLEDGE_TEXT_MAX_CHARACTERS).default(''),
  text: text(KNOWLEDGE_TEXT_MAX_CHARACTERS).optional(),
  links: z.array(WebAddress).max(KNOWLEDGE_LINKS_MAX).default([]),
  files: z.array(idOf('file')).max(KNOWLEDGE_FILES_MAX).default([]),
});

export const knowledge = {
  list: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge',
    summary: "An agent's knowledge",
    input: z.strictObject(agentParameter),
    output: z.object({ allKnowledge: z.array(Knowledge) }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}',
    summary: 'Read a knowledge item',
    input: z.strictObject(itemParameters),
    output: One,
  }),
  create: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/knowledge',
    summary: 'Give an agent knowledge',
    input: NewKnowledge,
    output: One,
  }),
  update: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}',
    summary: 'Change a knowledge item',
    input: z.strictObject({
      ...itemParameters,
      organizationId: idOf('organization'),
      description: text(KNOWLEDGE_TEXT_MAX_CHARACTERS, 1),
    }),
    output: One,
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}',
    summary: 'Delete a knowledge item',
    input: z.strictObject(itemParameters),
    output: z.object({ deleted: z.literal(true) }),
  }),
  progress: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/progress',
    summary: 'How far the processing has come',
    input: z.strictObject(agentParameter),
    output: z.object({ knowledgeProgress: KnowledgeProgress }),
  }),
};
