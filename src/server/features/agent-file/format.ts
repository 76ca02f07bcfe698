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
 * The content of an agent's file; `docs/guides/agent-file.md` describes it for people. Every schema is strict: anything
 * not listed here is rejected. Objects refer to each other by position in their list, from 0. Lists are JSON, one
 * object per line.
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
/** ISO 639-1, or empty if undetermined. */
const Language = z.string().regex(/^([a-z]{2})?$/);

const Settings = ChatbotChanges.pick(versionFields)
  .required()
  .extend({
    appearance: Appearance.extend({ logo: Image.nullable() }),
    // For files older than this setting.
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
    // For files older than these fields.
    offersPerson: z.boolean().default(true),
    retentionDays: RetentionDays.default(null),
  });

/** Read first, so that a newer file is reported as such rather than by its unknown fields. */
export const AnyManifest = z.looseObject({ format: z.literal(FORMAT), version: z.number() });

export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  exportedAt: Timestamp,
  agent: AtOnce.extend({
    profilePhoto: Image,
    live: Settings,
    /** Saved but not published yet; null: the same. */
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
  /** `embedding`: read, but not in the index yet. */
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
  /** The source that is searched instead of this one. */
  sameAs: Place.nullable(),
  card: Card.nullable(),
  file: z.strictObject({ path: z.string().regex(filePath), name: text(400, 1) }).nullable(),
});
export type Source = z.infer<typeof Source>;

/** How the passages after it are searched: together, by these languages' rules. */
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
  /** From an embedding model: little-endian 32-bit floats in base64. */
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
