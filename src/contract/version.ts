import * as z from 'zod';
import { Chatbot } from './chatbot.ts';
import { name, nextCursor, page, Search, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { OVERRIDE_REASON_MAX_CHARACTERS, VERSION_NOTE_MAX_CHARACTERS } from './limits.ts';
import { route } from './route.ts';

/** Which fields of an agent a version holds. */
export const versionFields = {
  customInstructions: true,
  enableKnowledgeBaseMode: true,
  appearance: true,
  voiceEnabled: true,
  conversationStarters: true,
  welcomeMessage: true,
  fallbackMessage: true,
  disclosure: true,
  language: true,
  modelSettings: true,
} as const;

/**
 * What is saved as a draft and goes live on publishing: what the agent says and how it looks. The rest of an agent (its
 * name and photo, who may see it and where) takes effect at once.
 */
export const VersionSettings = Chatbot.pick(versionFields);
export type VersionSettings = z.infer<typeof VersionSettings>;

/** An item the agent knew at a given time. */
export const KnownItem = z.object({
  id: idOf('knowledge'),
  title: z.string(),
  /** The item's revision. */
  revision: z.number().int(),
});
export type KnownItem = z.infer<typeof KnownItem>;

export const Version = z.object({
  number: z.number().int(),
  note: z.string(),
  /** The person or API key that saved it; empty if they are gone, and for agents older than versions. */
  author: z.string(),
  createdAt: Timestamp,
  /** When it last went live; null: never. */
  publishedAt: Timestamp.nullable(),
  publisher: z.string(),
  isDraft: z.boolean(),
  isLive: z.boolean(),
});
export type Version = z.infer<typeof Version>;

export const VersionDetails = Version.extend({
  settings: VersionSettings,
  /** What it knew when it was saved or last published. */
  knowledge: z.array(KnownItem),
});
export type VersionDetails = z.infer<typeof VersionDetails>;

/** A test set that stands between a version and its publication. */
export const OpenGate = z.object({
  testSetId: idOf('testSet'),
  name: z.string(),
  /** `not-run`: not run on this version, or not since its questions changed. */
  why: z.enum(['not-run', 'running', 'failed']),
});
export type OpenGate = z.infer<typeof OpenGate>;

const ofAgent = { id: idOf('agent'), organizationId: idOf('organization') };
const ofVersion = { ...ofAgent, number: z.coerce.number<number>().int().min(1) };
const Note = text(VERSION_NOTE_MAX_CHARACTERS).trim();

export const version = {
  list: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/version',
    summary: "An agent's versions, newest first",
    /** `search`: in the number, the note, and the names of those who saved and published it. */
    input: z.strictObject({ ...ofAgent, cursor: page.cursor, count: page.count, search: Search }),
    output: z.object({ versions: z.array(Version), nextCursor }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/version/{number}',
    summary: 'Read a version',
    input: z.strictObject(ofVersion),
    output: z.object({ version: VersionDetails }),
  }),
  /** A note on a version, for later readers. */
  annotate: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/version/{number}',
    summary: 'Write a note on a version',
    input: z.strictObject({ ...ofVersion, note: Note }),
    output: z.object({ version: Version }),
  }),
  /** Creates a new draft from an earlier version. */
  restore: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/version/{number}/restore',
    summary: 'Restore a version',
    input: z.strictObject(ofVersion),
    output: z.object({ chatbot: Chatbot }),
  }),
  /**
   * From the next message on, everyone gets this version; answers in progress finish as they were started. Errors: 409
   * `version/gated` when a required test set hasn't been passed. An owner may override that, giving a reason.
   */
  publish: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/version/{number}/publish',
    summary: 'Publish a version',
    input: z.strictObject({
      ...ofVersion,
      note: Note.optional(),
      overrideReason: name(OVERRIDE_REASON_MAX_CHARACTERS).optional(),
    }),
    output: z.object({ version: Version }),
  }),
  /** What stands between a version and its publication. */
  gates: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/version/{number}/gate',
    summary: 'Required test sets that a version has not passed',
    input: z.strictObject(ofVersion),
    output: z.object({ gates: z.array(OpenGate) }),
  }),
};
