import * as z from 'zod';
import { Download, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import {
  DATA_EXPORTS_PER_HOUR_AND_ADDRESS,
  ERASURES_PER_HOUR_AND_ADDRESS,
  RETENTION_MAX_DAYS,
  TOKEN_MAX_CHARACTERS,
} from './limits.ts';
import { route } from './route.ts';

/** What is erased of a person, each counted in the receipt. */
export const erasedKinds = [
  'conversations',
  'messages',
  'files',
  'toolCalls',
  'connectedAccounts',
  'leads',
  'feedback',
  'handovers',
  'notes',
  'links',
  'channelMessages',
  'deliveries',
  'entitlements',
  'mails',
  'invites',
  'memberships',
  'signIns',
  'jobs',
] as const;

/**
 * What stays, without the person. `purchases`: amounts and the provider's numbers, for the books. `auditEntries`: that
 * something was changed, by nobody in particular. `work`: what a member made for an organization, which is its own.
 */
export const keptKinds = ['purchases', 'auditEntries', 'work'] as const;

/** `account`: all that there was of them here. `agent`: all that one agent had of them. */
export const erasureScopes = ['account', 'agent'] as const;

export const Erasure = z.object({
  id: idOf('erasure'),
  /** By which everybody who has it reads the receipt; it says nothing of who was erased. */
  token: z.string(),
  scope: z.enum(erasureScopes),
  /** `running`: it goes on whatever happens, and cannot be stopped. */
  state: z.enum(['running', 'done']),
  askedAt: Timestamp,
  doneAt: Timestamp.nullable(),
  /** Empty while it runs. */
  erased: z.partialRecord(z.enum(erasedKinds), z.number().int()),
  kept: z.partialRecord(z.enum(keptKinds), z.number().int()),
  /** All of this as a JWS of this installation (ES256), once it is done. */
  receipt: z.string().nullable(),
  /** The JWK by which the receipt is verified; it is the one of `/.well-known/jwks.json` for as long as it is in use. */
  publicKey: z.record(z.string(), z.unknown()).nullable(),
});
export type Erasure = z.infer<typeof Erasure>;

export const dataExportStates = ['queued', 'writing', 'ready', 'failed'] as const;

/** All that there is of a person, or of an organization, as one ZIP; made by a job, and gone a day later. */
export const DataExport = z.object({
  id: idOf('dataExport'),
  state: z.enum(dataExportStates),
  /** Parts that are written, and all there are; 0 until they are counted. */
  done: z.number().int(),
  total: z.number().int(),
  bytes: z.number().int().nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type DataExport = z.infer<typeof DataExport>;

/** Since the last message; null: for good. Nothing is deleted because of a plan, which only says how far back insights are shown. */
export const RetentionDays = z.number().int().min(1).max(RETENTION_MAX_DAYS).nullable();

/** What would go if conversations were kept for so long, as it is now. */
export const RetentionPreview = z.object({
  conversations: z.number().int(),
  messages: z.number().int(),
  files: z.number().int(),
  /** Who would not be known to the agent any more. */
  people: z.number().int(),
  /** The last message of the oldest conversation that stays; null: none stays. */
  oldestKeptAt: Timestamp.nullable(),
});
export type RetentionPreview = z.infer<typeof RetentionPreview>;

const ofAgent = z.strictObject({ id: idOf('agent') });
const newest = z.object({ export: DataExport.nullable() });
const begun = z.object({ export: DataExport });
/** An organization; left out: of the caller. */
const ofWhat = z.strictObject({ of: idOf('organization').optional() });
const exportLimit = { requests: DATA_EXPORTS_PER_HOUR_AND_ADDRESS, seconds: 3600 };

/** Typed by whoever erases, so that nobody does it by a slip. */
const confirmation = z.literal('erase');
const limit = { requests: ERASURES_PER_HOUR_AND_ADDRESS, seconds: 3600 };

export const privacy = {
  /**
   * Begins to write all that there is of the caller, or for its owner of an organization: agents as files, people, conversations, sales,
   * settings, the audit log, no secrets. One that is being written is given again; it takes the place of an older one.
   */
  beginExport: route({
    method: 'POST',
    path: '/v1/privacy/export',
    summary: 'Export everything known about me or an organization',
    access: 'chat',
    limit: exportLimit,
    input: ofWhat,
    output: begun,
  }),
  getExport: route({
    method: 'GET',
    path: '/v1/privacy/export',
    summary: 'The latest data export',
    access: 'chat',
    input: ofWhat,
    output: newest,
  }),
  /** A ZIP, of either kind. Errors: 404 for anybody else, and when its time is over; 403 for who is no owner any more. */
  readExport: route({
    method: 'GET',
    path: '/v1/privacy/export/{exportId}',
    summary: 'Download a data export',
    access: 'chat',
    produces: 'application/zip',
    input: z.strictObject({ exportId: idOf('dataExport') }),
    output: Download,
  }),
  /**
   * Erases the caller and all that there is of them, in every organization; of a visitor what the site's organization has. They are
   * signed out at once, and nothing of it comes back. Errors: 409 for the last owner of an organization.
   */
  erase: route({
    method: 'POST',
    path: '/v1/privacy/erasure',
    summary: 'Erase all my data',
    access: 'chat',
    limit,
    input: z.strictObject({ confirmation }),
    output: z.object({ erasure: Erasure }),
  }),
  /** What an agent has of one of its end users; what is theirs elsewhere stays. */
  eraseEndUser: route({
    method: 'DELETE',
    path: '/v1/chatbot/{id}/users/{userId}',
    summary: 'Erase an end user of an agent',
    input: z.strictObject({ id: idOf('agent'), userId: idOf('user'), confirmation }),
    output: z.object({ erasure: Erasure }),
  }),
  /** How long an agent keeps its conversations; with `days`, what would go if it were so many. Changes nothing. */
  getRetention: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/retention',
    summary: 'How long conversations are kept',
    input: ofAgent.extend({
      days: z.coerce.number<number>().int().min(1).max(RETENTION_MAX_DAYS).optional(),
    }),
    output: z.object({ days: RetentionDays, preview: RetentionPreview.nullable() }),
  }),
  /** What is older goes within the hour, for good; what gets older later goes then. */
  setRetention: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/retention',
    summary: 'Set how long conversations are kept',
    input: ofAgent.extend({ days: RetentionDays }),
    output: z.object({ days: RetentionDays }),
  }),
  /** Errors: 404 for a token that we did not make. */
  getErasure: route({
    method: 'GET',
    path: '/v1/privacy/erasure/{token}',
    summary: 'Read an erasure receipt',
    access: 'public',
    visitors: true,
    input: z.strictObject({ token: text(TOKEN_MAX_CHARACTERS, 1) }),
    output: z.object({ erasure: Erasure }),
  }),
};
