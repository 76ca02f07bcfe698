import * as z from 'zod';
import { Download, nextCursor, page, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { knowledgeStates } from './knowledge.ts';
import { SOURCE_TEXT_PAGE_MAX_CHARACTERS } from './limits.ts';
import { route } from './route.ts';

/** What a product's source says about the item for sale; unknown fields are null. */
export const ProductCard = z.object({
  name: z.string(),
  description: z.string().nullable(),
  /** As written on the page, without the currency: `19.90`. */
  price: z.string().nullable(),
  /** ISO 4217. */
  currency: z.string().nullable(),
  /** The page that sells it. */
  url: z.string().nullable(),
  /** One of our pictures: external ones are fetched once and stored. */
  image: z.string().nullable(),
});
export type ProductCard = z.infer<typeof ProductCard>;

/** One document inside an item. */
export const Source = z.object({
  id: idOf('source'),
  knowledgeId: idOf('knowledge'),
  kind: z.enum(['text', 'file', 'page', 'qa', 'product']),
  title: z.string(),
  url: z.string().nullable(),
  state: z.enum(knowledgeStates),
  error: z.string().nullable(),
  /** ISO 639-1; null if undetermined. */
  language: z.string().nullable(),
  characters: z.number().int(),
  chunks: z.number().int(),
  /** Another source of the item holds the same text, so this one isn't searched as well. */
  sameAs: idOf('source').nullable(),
  card: ProductCard.nullable(),
  updatedAt: Timestamp,
});
export type Source = z.infer<typeof Source>;

export const Chunk = z.object({
  id: idOf('chunk'),
  /** Its position among the source's chunks, from 0. */
  ordinal: z.number().int(),
  text: z.string(),
  headingPath: z.array(z.string()),
  /** One-based; null in a document without pages. */
  page: z.number().int().nullable(),
  /** Characters from the start of the source's text. */
  offset: z.number().int(),
});
export type Chunk = z.infer<typeof Chunk>;

const itemParameters = { id: idOf('agent'), knowledgeId: idOf('knowledge') };
const sourceParameters = { ...itemParameters, sourceId: idOf('source') };

export const source = {
  list: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/source',
    summary: 'The sources of a knowledge item',
    input: z.strictObject({
      ...itemParameters,
      cursor: page.cursor,
      count: page.count,
      /** Those whose title or address contains this. */
      search: text(200).optional(),
      state: z.enum(knowledgeStates).optional(),
    }),
    output: z.object({ sources: z.array(Source), nextCursor }),
  }),
  /** Its text as the agent sees it: Markdown, with a form feed between pages; one section of it if it is long. */
  get: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/source/{sourceId}',
    summary: 'Read a source',
    input: z.strictObject({
      ...sourceParameters,
      /** Characters from the start of the text. */
      offset: z.coerce.number<number>().int().min(0).max(2_147_483_647).default(0),
    }),
    output: z.object({
      source: Source,
      text: z.string().max(SOURCE_TEXT_PAGE_MAX_CHARACTERS),
      /** Where the next section starts; null at the end. */
      nextOffset: z.number().int().nullable(),
    }),
  }),
  listChunks: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/source/{sourceId}/chunk',
    summary: 'The passages of a source',
    input: z.strictObject({ ...sourceParameters, cursor: page.cursor, count: page.count }),
    output: z.object({ chunks: z.array(Chunk), nextCursor }),
  }),
  /** As uploaded, under its original name. */
  readFile: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/file/{fileId}',
    summary: 'Download a file of a knowledge item',
    produces: 'application/octet-stream',
    input: z.strictObject({ ...itemParameters, fileId: idOf('file') }),
    output: Download,
  }),
};
