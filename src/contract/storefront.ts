import * as z from 'zod';
import { PhotoAddress, text, Timestamp, words } from './common.ts';
import { idOf } from './id.ts';
import {
  STOREFRONT_HEADLINE_MAX_CHARACTERS,
  STOREFRONT_ITEM_TEXT_MAX_CHARACTERS,
  STOREFRONT_ITEM_TITLE_MAX_CHARACTERS,
  STOREFRONT_ITEMS_MAX,
  STOREFRONT_MAX_CHARACTERS,
  STOREFRONT_OFFERS_MAX,
  STOREFRONT_SECTION_TITLE_MAX_CHARACTERS,
  STOREFRONT_SECTIONS_MAX,
  STOREFRONT_SEO_DESCRIPTION_MAX_CHARACTERS,
  STOREFRONT_SEO_TITLE_MAX_CHARACTERS,
  STOREFRONT_TAGLINE_MAX_CHARACTERS,
  STOREFRONT_TEXT_MAX_CHARACTERS,
} from './limits.ts';
import { route } from './route.ts';

export const storefrontSectionKinds = ['about', 'features', 'questions', 'offers', 'chat'] as const;
export type StorefrontSectionKind = (typeof storefrontSectionKinds)[number];

const title = text(STOREFRONT_SECTION_TITLE_MAX_CHARACTERS).default('');
const paragraphs = text(STOREFRONT_TEXT_MAX_CHARACTERS).default('');
const itemText = text(STOREFRONT_ITEM_TEXT_MAX_CHARACTERS).default('');

const sectionWith = (itemTitle: z.ZodString) =>
  z.discriminatedUnion('kind', [
    /** Paragraphs, headings, lists, bold and italics as in Markdown; everything else stays as typed. */
    z.strictObject({ kind: z.literal('about'), title, text: paragraphs }),
    z.strictObject({
      kind: z.literal('features'),
      title,
      items: z.array(z.strictObject({ title: itemTitle, text: itemText })).max(STOREFRONT_ITEMS_MAX),
    }),
    z.strictObject({
      kind: z.literal('questions'),
      title,
      items: z.array(z.strictObject({ question: itemTitle, answer: itemText })).max(STOREFRONT_ITEMS_MAX),
    }),
    z.strictObject({ kind: z.literal('offers'), title }),
    /** An invitation to try the agent. */
    z.strictObject({ kind: z.literal('chat'), title, text: paragraphs }),
  ]);

/** `required`: the schema for texts that can't be omitted. */
const configWith = (required: (maxCharacters: number) => z.ZodString) =>
  z
    .strictObject({
      headline: required(STOREFRONT_HEADLINE_MAX_CHARACTERS),
      tagline: text(STOREFRONT_TAGLINE_MAX_CHARACTERS).default(''),
      /** Uploaded for this agent. */
      picture: PhotoAddress.nullable().default(null),
      sections: z
        .array(sectionWith(required(STOREFRONT_ITEM_TITLE_MAX_CHARACTERS)))
        .max(STOREFRONT_SECTIONS_MAX),
      /** Which products are offered, in this order. Null: all that are for sale, in order of creation. */
      products: z.array(idOf('product')).max(STOREFRONT_OFFERS_MAX).nullable().default(null),
      /** For search engines and link previews; if empty, the headline and the tagline are used. */
      seoTitle: text(STOREFRONT_SEO_TITLE_MAX_CHARACTERS).default(''),
      seoDescription: text(STOREFRONT_SEO_DESCRIPTION_MAX_CHARACTERS).default(''),
    })
    .refine((config) => JSON.stringify(config).length <= STOREFRONT_MAX_CHARACTERS, 'Must be shorter.');

/** A public page's content, in the order of its sections. Its colors and typeface are the agent's. */
export const StorefrontConfig = configWith((max) => text(max, 1));
export type StorefrontConfig = z.infer<typeof StorefrontConfig>;
export type StorefrontSection = StorefrontConfig['sections'][number];

/** As input: no headline or item title may be blank. */
export const GivenStorefront = configWith(words);

export const Storefront = z.object({
  id: idOf('storefront'),
  organizationId: idOf('organization'),
  agentId: idOf('agent'),
  /** The public page's address, which works once it is published. */
  url: z.string(),
  /** What its editors see. */
  draft: StorefrontConfig,
  /** Counts the saves: a save that refers to an older one is a 409. */
  revision: z.number().int(),
  /** The revision everyone sees. Null: the page doesn't exist. */
  publishedRevision: z.number().int().nullable(),
  publishedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Storefront = z.infer<typeof Storefront>;

const byId = z.strictObject({ id: idOf('storefront') });
const One = z.object({ storefront: Storefront });

export const storefront = {
  find: route({
    method: 'GET',
    path: '/v1/storefront',
    summary: 'The storefront of an agent',
    input: z.strictObject({ agentId: idOf('agent') }),
    /** Null: it doesn't have one yet. */
    output: z.object({ storefront: Storefront.nullable() }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/storefront/{id}',
    summary: 'Read a storefront',
    input: byId,
    output: One,
  }),
  /** Creates a draft from what is known about the agent. An agent has one storefront: a repeated call returns the same one. */
  create: route({
    method: 'POST',
    path: '/v1/storefront',
    summary: 'Create a storefront',
    input: z.strictObject({ agentId: idOf('agent') }),
    output: One,
  }),
  /** Saves the draft. Only its editors see it. */
  update: route({
    method: 'PUT',
    path: '/v1/storefront/{id}',
    summary: 'Change a storefront',
    input: z.strictObject({
      id: idOf('storefront'),
      config: GivenStorefront,
      revision: z.number().int().min(1).optional(),
    }),
    output: One,
  }),
  /** Everyone now sees the draft as it is. Errors: 409 for a draft that has changed since. */
  publish: route({
    method: 'POST',
    path: '/v1/storefront/{id}/publish',
    summary: 'Publish a storefront',
    input: z.strictObject({ id: idOf('storefront'), revision: z.number().int().min(1).optional() }),
    output: One,
  }),
  unpublish: route({
    method: 'POST',
    path: '/v1/storefront/{id}/unpublish',
    summary: 'Unpublish a storefront',
    input: byId,
    output: One,
  }),
  /** The page as it would look with this configuration. Nothing is saved. */
  preview: route({
    method: 'POST',
    path: '/v1/storefront/{id}/preview',
    summary: 'Preview a storefront',
    input: z.strictObject({ id: idOf('storefront'), config: StorefrontConfig }),
    output: z.object({ html: z.string() }),
  }),
};
