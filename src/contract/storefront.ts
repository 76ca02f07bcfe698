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
    /** Paragraphs, headings, lists, bold and italic words as in Markdown; all else stays as it was typed. */
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

/** `required`: how the text is judged that may not be left out. */
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
      /** Which products are offered, in this order. Null: all that are for sale, in the order in which they were made. */
      products: z.array(idOf('product')).max(STOREFRONT_OFFERS_MAX).nullable().default(null),
      /** For search engines and previews of links; where empty, the headline and the tagline. */
      seoTitle: text(STOREFRONT_SEO_TITLE_MAX_CHARACTERS).default(''),
      seoDescription: text(STOREFRONT_SEO_DESCRIPTION_MAX_CHARACTERS).default(''),
    })
    .refine((config) => JSON.stringify(config).length <= STOREFRONT_MAX_CHARACTERS, 'Must be shorter.');

/** What a public page says, in the order of its sections. Its colours and typeface are those of the agent. */
export const StorefrontConfig = configWith((max) => text(max, 1));
export type StorefrontConfig = z.infer<typeof StorefrontConfig>;
export type StorefrontSection = StorefrontConfig['sections'][number];

/** As somebody gives it: no headline or title of an item is blank. */
export const GivenStorefront = configWith(words);

export const Storefront = z.object({
  id: idOf('storefront'),
  organizationId: idOf('organization'),
  agentId: idOf('agent'),
  /** Of the public page, which is there once it is published. */
  url: z.string(),
  /** What its editors see. */
  draft: StorefrontConfig,
  /** Counts the saves: a save that names an older one is a 409. */
  revision: z.number().int(),
  /** The revision that everybody sees. Null: the page does not exist. */
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
    /** Null: it has none yet. */
    output: z.object({ storefront: Storefront.nullable() }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/storefront/{id}',
    summary: 'Read a storefront',
    input: byId,
    output: One,
  }),
  /** A draft with what is known of the agent. An agent has one storefront: asked again, it is the same. */
  create: route({
    method: 'POST',
    path: '/v1/storefront',
    summary: 'Create a storefront',
    input: z.strictObject({ agentId: idOf('agent') }),
    output: One,
  }),
  /** Saves the draft. Nobody but its editors sees it. */
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
  /** From now on everybody sees the draft as it is. Errors: 409 for a draft that was changed since. */
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
  /** The page as it would be with this configuration. Nothing is saved. */
  preview: route({
    method: 'POST',
    path: '/v1/storefront/{id}/preview',
    summary: 'Preview a storefront',
    input: z.strictObject({ id: idOf('storefront'), config: StorefrontConfig }),
    output: z.object({ html: z.string() }),
  }),
};
