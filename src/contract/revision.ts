import * as z from 'zod';
import { nextCursor, page, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { Knowledge } from './knowledge.ts';
import { route } from './route.ts';

/**
 * `building`: being read. `held`: read, and waiting for approval because too much has disappeared. `active`: the one
 * searched. `retired`: previously active. `discarded`: rejected without becoming active. `failed`: nothing could be
 * read.
 */
export const revisionStates = ['building', 'held', 'active', 'retired', 'discarded', 'failed'] as const;
export const revisionCauses = ['created', 'edited', 'synced', 'scheduled', 'restored'] as const;

/** What an item contained at a point in time. Counts are sources. */
export const Revision = z.object({
  knowledgeId: idOf('knowledge'),
  /** From 1. */
  number: z.number().int(),
  state: z.enum(revisionStates),
  cause: z.enum(revisionCauses),
  added: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
  unchanged: z.number().int(),
  /** Why it is held or has failed. */
  reason: z.string().nullable(),
  /** Its sources are still kept, so the item can be restored to it. */
  canRestore: z.boolean(),
  createdAt: Timestamp,
});
export type Revision = z.infer<typeof Revision>;

export const RevisionChange = z.object({
  change: z.enum(['added', 'changed', 'removed']),
  sourceId: idOf('source'),
  title: z.string(),
  url: z.string().nullable(),
});
export type RevisionChange = z.infer<typeof RevisionChange>;

const itemParameters = { id: idOf('agent'), knowledgeId: idOf('knowledge') };
const revisionParameters = {
  ...itemParameters,
  number: z.coerce.number<number>().int().min(1).max(2_147_483_647),
};
const Decided = z.object({ knowledge: Knowledge, revision: Revision });

export const revision = {
  list: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/revision',
    summary: 'The revisions of a knowledge item, newest first',
    input: z.strictObject({ ...itemParameters, cursor: page.cursor, count: page.count }),
    output: z.object({ revisions: z.array(Revision), nextCursor }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/revision/{number}',
    summary: 'A revision and what it changed',
    input: z.strictObject({ ...revisionParameters, cursor: page.cursor, count: page.count }),
    output: z.object({ revision: Revision, changes: z.array(RevisionChange), nextCursor }),
  }),
  apply: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/revision/{number}/apply',
    summary: 'Use a held revision',
    input: z.strictObject(revisionParameters),
    output: Decided,
  }),
  discard: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/revision/{number}/discard',
    summary: 'Discard a held revision',
    input: z.strictObject(revisionParameters),
    output: Decided,
  }),
  /** Creates a new revision with the old one's content. */
  restore: route({
    method: 'POST',
    path: '/v1/chatbot/{id}/knowledge/{knowledgeId}/revision/{number}/restore',
    summary: 'Restore a revision of a knowledge item',
    input: z.strictObject(revisionParameters),
    output: Decided,
  }),
};
