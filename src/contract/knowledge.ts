import * as z from 'zod';
import { nextCursor, pageIfAsked, text, Timestamp, WebAddress } from './common.ts';
import { idOf } from './id.ts';
import {
  CRAWL_DEPTH_MAX,
  CRAWL_PAGES_MAX,
  CRAWL_PATTERNS_MAX,
  KNOWLEDGE_FILES_MAX,
  KNOWLEDGE_LINKS_MAX,
  KNOWLEDGE_TEXT_MAX_CHARACTERS,
  MESSAGE_MAX_CHARACTERS,
} from './limits.ts';
import { route } from './route.ts';

export const knowledgeTypes = ['text', 'file', 'website', 'product', 'qa'] as const;

/** The states of an item; `failed` comes with the reason and what to do about it. */
export const knowledgeStates = ['queued', 'fetching', 'extracting', 'embedding', 'ready', 'failed'] as const;
export type KnowledgeState = (typeof knowledgeStates)[number];

/** Progress of one item, as pushed over the socket and returned by the progress call. Counts are sources. */
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

/** How often a website is reread automatically; `manual`: only on request. */
export const knowledgeSchedules = ['manual', 'hourly', 'daily', 'weekly'] as const;
export type KnowledgeSchedule = (typeof knowledgeSchedules)[number];

/** A path on a site, with `*` as a wildcard: `/docs/*`. Never a regular expression. */
const PathPattern = text(200, 1).regex(/^\//, 'Must start with /.');

/**
 * Which pages of a website are read. `links`: those given. `domain`: what they link to on their site. `sitemap`: what
 * it lists.
 */
export const SiteSettings = z.strictObject({
  mode: z.enum(['links', 'domain', 'sitemap']).default('links'),
  /** A page is read if it matches one of these, or if there are none, */
  include: z.array(PathPattern).max(CRAWL_PATTERNS_MAX).default([]),
  /** and none of these. */
  exclude: z.array(PathPattern).max(CRAWL_PATTERNS_MAX).default([]),
  maxPages: z.number().int().min(1).max(CRAWL_PAGES_MAX).default(CRAWL_PAGES_MAX),
  /** Number of links away from the given addresses. */
  maxDepth: z.number().int().min(0).max(CRAWL_DEPTH_MAX).default(CRAWL_DEPTH_MAX),
});
export type SiteSettings = z.infer<typeof SiteSettings>;

export const Knowledge = z.object({
  id: idOf('knowledge'),
  knowledgeId: idOf('knowledge'),
  type: z.enum(knowledgeTypes),
  /** The item's title; for a question-answer pair, the question. */
  description: z.string(),
  /** The text of a titled text item, or a pair's answer. */
  text: z.string().nullable(),
  links: z.array(z.string()),
  files: z.array(FileReference),
  /** For a website, and for products with links; null for the other types. */
  site: SiteSettings.nullable(),
  schedule: z.enum(knowledgeSchedules),
  /** The searchable revision, from 1. */
  revision: z.number().int(),
  /** A newer revision that needs a decision because too much of the content has disappeared; null if there is none. */
  heldRevision: z.number().int().nullable(),
  syncedAt: Timestamp.nullable(),
  nextSyncAt: Timestamp.nullable(),
  progress: KnowledgeItemProgress,
  /** Size of the extracted text. */
  characters: z.number().int(),
  chunks: z.number().int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Knowledge = z.infer<typeof Knowledge>;

/** The maximum length of a description in lists. */
export const KNOWLEDGE_LISTED_MAX_CHARACTERS = 1000;

/** An item in a list, without its texts: a description longer than `KNOWLEDGE_LISTED_MAX_CHARACTERS` is cut and ends in `…`. */
export const ListedKnowledge = Knowledge.omit({ text: true });
export type ListedKnowledge = z.infer<typeof ListedKnowledge>;

const agentParameter = { id: idOf('agent') };
const itemParameters = { ...agentParameter, knowledgeId: idOf('knowledge') };
const One = z.object({ knowledge: Knowledge });

/**
 * A new item. `text` needs a description, which is the text itself unless `text` is given; `file` needs files,
 * `website` needs links, `product` links or a description, and `qa` the question as its description and the answer as
 * its text.
 */
export const NewKnowledge = z.strictObject({
  ...agentParameter,
  organizationId: idOf('organization'),
  type: z.enum(knowledgeTypes),
  description: text(KNOWLEDGE_TEXT_MAX_CHARACTERS).default(''),
  text: text(KNOWLEDGE_TEXT_MAX_CHARACTERS).optional(),
  links: z.array(WebAddress).max(KNOWLEDGE_LINKS_MAX).default([]),
  files: z.array(idOf('file')).max(KNOWLEDGE_FILES_MAX).default([]),
  site: SiteSettings.optional(),
  schedule: z.enum(knowledgeSchedules).default('manual'),
});

const Seen = Knowledge.pick({
  description: true,
  text: true,
  links: true,
  site: true,
  schedule: true,
}).partial();

/**
 * Omitted fields stay as they are. Changing what the agent reads creates a new revision. With `seen`, saving over what
 * someone else has since saved in the same field is a 409, and `now` in its `errors` holds the current value.
 */
export const KnowledgeChanges = z.strictObject({
  ...itemParameters,
  organizationId: idOf('organization'),
  description: text(KNOWLEDGE_TEXT_MAX_CHARACTERS, 1).optional(),
  text: text(KNOWLEDGE_TEXT_MAX_CHARACTERS, 1).optional(),
  links: z.array(WebAddress).min(1).max(KNOWLEDGE_LINKS_MAX).optional(),
  /** All of its files from now on. Those it has are not read again, and one that is left out goes when the new ones have been read. */
  files: z.array(idOf('file')).min(1).max(KNOWLEDGE_FILES_MAX).optional(),
  site: SiteSettings.optional(),
  schedule: z.enum(knowledgeSchedules).optional(),
  seen: Seen.optional(),
});

/** A passage that a question finds, and why. */
export const FoundPassage = z.object({
  chunkId: idOf('chunk'),
  sourceId: idOf('source'),
  knowledgeId: idOf('knowledge'),
  title: z.string(),
  url: z.string().nullable(),
  headingPath: z.array(z.string()),
  page: z.number().int().nullable(),
  /** Characters from the start of the source's text. */
  offset: z.number().int(),
  text: z.string(),
  /** The sort order of the passages; comparable only within one response. */
  score: z.number(),
  /** The BM25 part of the score, and the cosine similarity of the vectors; null without an embedding model. */
  keywordScore: z.number(),
  similarity: z.number().nullable(),
  /** The question's terms, as indexed, that the passage contains. */
  matchedTerms: z.array(z.string()),
  /** The passage is the answer of a pair whose question is nearly identical to this one. */
  isAnswerOfPair: z.boolean(),
  /** It fits into what the model is shown. */
  isUsed: z.boolean(),
});
export type FoundPassage = z.infer<typeof FoundPassage>;

export const Retrieval = z.object({
  /** The question, or a translation of it into the language of the agent's texts. */
  query: z.string(),
  passages: z.array(FoundPassage),
  /** The question's terms with the number of passages containing each, rarest first. */
  terms: z.array(z.object({ term: z.string(), weight: z.number(), passages: z.number().int() })),
  /** Terms added because the best passages share them. */
  addedTerms: z.array(z.string()),
  /** How much of the question the best passages cover, 0 to 1, and the minimum for an agent that answers only from knowledge. */
  support: z.number(),
  leastSupport: z.number(),
  milliseconds: z.number(),
});
export type Retrieval = z.infer<typeof Retrieval>;

export const knowledge = {
  /** Without texts, which may be long: the call that reads a single item returns its text. */
  list: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge',
    summary: "An agent's knowledge",
    input: z.strictObject({ ...agentParameter, ...pageIfAsked }),
    output: z.object({ allKnowledge: z.array(ListedKnowledge), nextCursor }),
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
    summary: 'Add knowledge to an agent',
    input: NewKnowledge,
    output: One,
  }),
  update: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}',
    summary: 'Change a knowledge item',
    input: KnowledgeChanges,
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
    summary: 'The progress of an item',
    input: z.strictObject(agentParameter),
    output: z.object({ knowledgeProgress: KnowledgeProgress }),
  }),
  /** Things the agent sells, given by links to their pages or by a description; shown as cards in its answers. */
  addProduct: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/product',
    summary: "Add products to an agent's knowledge",
    input: z.strictObject({
      ...agentParameter,
      type: z.literal('product').default('product'),
      links: NewKnowledge.shape.links,
      description: NewKnowledge.shape.description,
    }),
    output: One,
  }),
  /** Rereads a website, but only what has changed. If that is already in progress, returns the same. */
  resync: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/resync',
    summary: 'Re-sync a knowledge item',
    input: z.strictObject(itemParameters),
    output: One,
  }),
  /** Retries the item's sources that couldn't be read. */
  retry: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/retry',
    summary: 'Retry the failed sources',
    input: z.strictObject(itemParameters),
    output: One,
  }),
  tryQuestion: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/knowledge/question',
    summary: 'Preview what is found for a question, and why',
    input: z.strictObject({ ...agentParameter, question: text(MESSAGE_MAX_CHARACTERS, 1) }),
    output: z.object({ retrieval: Retrieval }),
  }),
};
