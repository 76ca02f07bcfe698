import * as z from 'zod';
import { versionFields } from '../../../contract/version.ts';
import { Appearance } from '../../../contract/appearance.ts';
import { ChatbotChanges } from '../../../contract/chatbot.ts';
import { text, Timestamp, WebAddress } from '../../../contract/common.ts';
import { Disclosure } from '../../../contract/disclosure.ts';
import { knowledgeSchedules, knowledgeTypes, SiteSettings } from '../../../contract/knowledge.ts';
import {
  CRAWL_DEPTH_MAX,
  KNOWLEDGE_LINKS_MAX,
  KNOWLEDGE_TEXT_MAX_CHARACTERS,
  TEST_CASES_MAX,
  TEST_SET_NAME_MAX_CHARACTERS,
} from '../../../contract/limits.ts';
import { RetentionDays } from '../../../contract/privacy.ts';
import { NewTestCase } from '../../../contract/test-set.ts';

/**
 * What an agent's file holds; `docs/guides/agent-file.md` tells people. Each schema is strict: what is not named here is
 * not taken in. Things name each other by their place in their list, from 0. Lists are JSON, one thing a line.
 */

export const FORMAT = 'parley-agent';
export const FORMAT_VERSION = 1;

export const parts = {
  manifest: 'parley-agent.json',
  items: 'knowledge/items.jsonl',
  sources: 'knowledge/sources.jsonl',
  passages: 'knowledge/passages.jsonl',
  testSets: 'tests/sets.jsonl',
  tools: 'tools/tools.jsonl',
  operations: 'tools/operations.jsonl',
} as const;

const filePath = /^knowledge\/files\/\d{6}(\.[a-z0-9]{1,10})?$/;
const imagePath = /^images\/[0-9a-f]{32}\.webp$/;

export function isPart(name: string): boolean {
  return Object.values<string>(parts).includes(name) || filePath.test(name) || imagePath.test(name);
}

export const Place = z.number().int().min(0).max(10_000_000);
const Long = text(50_000_000);
export const Line = text(10_000);
const Reason = text(2000).nullable();
const ImagePath = z.string().regex(imagePath, 'Must be a picture in the file.');
/** One of the file's pictures, or one that every installation has. */
const Image = z.union([ImagePath, z.string().regex(/^\/images\/(agent|guest|organization)\.svg$/)]);
/** ISO 639-1, or empty where it could not be told. */
const Language = z.string().regex(/^([a-z]{2})?$/);

const Settings = ChatbotChanges.pick(versionFields)
  .required()
  .extend({
    appearance: Appearance.extend({ logo: Image.nullable() }),
    // Files from before there was such a thing.
    disclosure: Disclosure,
  });
export type Settings = z.infer<typeof Settings>;

const AtOnce = ChatbotChanges.pick({
  name: true,
  website: true,
  isPublic: true,
  allowedOrigins: true,
})
  .required()
  .extend({
    // Files from before these were in it.
    offersPerson: z.boolean().default(true),
    retentionDays: RetentionDays.default(null),
  });

/** Read first, so that who has a newer file is told so and not what in it is unknown. */
export const AnyManifest = z.looseObject({ format: z.literal(FORMAT), version: z.number() });

export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  exportedAt: Timestamp,
  agent: AtOnce.extend({
    profilePhoto: Image,
    live: Settings,
    /** What was saved and not published yet; null: the same. */
    draft: Settings.nullable(),
  }),
});
export type Manifest = z.infer<typeof Manifest>;

export const Item = z.strictObject({
  type: z.enum(knowledgeTypes),
  description: text(KNOWLEDGE_TEXT_MAX_CHARACTERS),
  text: text(KNOWLEDGE_TEXT_MAX_CHARACTERS).nullable(),
  links: z.array(WebAddress).max(KNOWLEDGE_LINKS_MAX),
  site: SiteSettings.nullable(),
  schedule: z.enum(knowledgeSchedules),
  syncedAt: Timestamp.nullable(),
  error: Reason,
});
export type Item = z.infer<typeof Item>;

const Card = z.strictObject({
  name: Line,
  description: Line.nullable(),
  price: text(200).nullable(),
  currency: text(20).nullable(),
  url: WebAddress.nullable(),
  image: ImagePath.nullable(),
});

export const Source = z.strictObject({
  item: Place,
  kind: z.enum(['text', 'file', 'page', 'qa', 'product']),
  /** `embedding`: read, and not in the index yet. */
  state: z.enum(['ready', 'embedding', 'failed']),
  error: Reason,
  title: Line,
  url: WebAddress.nullable(),
  depth: z.number().int().min(0).max(CRAWL_DEPTH_MAX),
  text: Long.nullable(),
  contentHash: text(128).nullable(),
  language: Language.nullable(),
  etag: text(4000).nullable(),
  lastModified: text(400).nullable(),
  /** The source in whose place this one is not searched. */
  sameAs: Place.nullable(),
  card: Card.nullable(),
  file: z.strictObject({ path: z.string().regex(filePath), name: text(400, 1) }).nullable(),
});
export type Source = z.infer<typeof Source>;

/** How the passages that follow it are searched: together, by the rules of these languages. */
export const Block = z.strictObject({
  kind: z.literal('block'),
  item: Place,
  languages: z.array(Language).min(1).max(200),
  passages: z.number().int().min(1).max(200_000),
});
export type Block = z.infer<typeof Block>;

export const Passage = z.strictObject({
  kind: z.literal('passage'),
  source: Place,
  ordinal: Place,
  text: text(KNOWLEDGE_TEXT_MAX_CHARACTERS, 1),
  headingPath: z.array(text(100_000)).max(100),
  page: z.number().int().min(1).max(10_000_000).nullable(),
  offset: z.number().int().min(0).max(50_000_000),
  /** As an embedding model put it: little-endian 32-bit floats in base 64. */
  vector: z.strictObject({ model: text(200, 1), numbers: z.base64().max(100_000) }).nullable(),
});
export type Passage = z.infer<typeof Passage>;

export const BlockOrPassage = z.discriminatedUnion('kind', [Block, Passage]);

export const TestSet = z.strictObject({
  name: text(TEST_SET_NAME_MAX_CHARACTERS).trim().min(1),
  isGate: z.boolean(),
  cases: z.array(NewTestCase.omit({ id: true })).max(TEST_CASES_MAX),
});
export type TestSet = z.infer<typeof TestSet>;
