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

/** What is erased of a person; the receipt counts each kind. */
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
 * What stays, without the person. `purchases`: amounts and the provider's numbers, for accounting. `auditEntries`: that
 * something was changed, without saying by whom. `work`: what a member created for an organization, which the
 * organization owns.
 */
export const keptKinds = ['purchases', 'auditEntries', 'work'] as const;

/** `account`: everything about them here. `agent`: everything one agent had about them. */
export const erasureScopes = ['account', 'agent'] as const;

export const Erasure = z.object({
  id: idOf('erasure'),
  /** Lets anyone who has it read the receipt, which doesn't reveal who was erased. */
  token: z.string(),
  scope: z.enum(erasureScopes),
  /** `running`: it continues whatever happens and can't be stopped. */
  state: z.enum(['running', 'done']),
  askedAt: Timestamp,
  doneAt: Timestamp.nullable(),
  /** Empty while it runs. */
  erased: z.partialRecord(z.enum(erasedKinds), z.number().int()),
  kept: z.partialRecord(z.enum(keptKinds), z.number().int()),
  /** All of this as a JWS signed by this installation (ES256), once it is done. */
  receipt: z.string().nullable(),
  /** The JWK that verifies the receipt; published at `/.well-known/jwks.json` for as long as it is in use. */
  publicKey: z.record(z.string(), z.unknown()).nullable(),
});
export type Erasure = z.infer<typeof Erasure>;

export const dataExportStates = ['queued', 'writing', 'ready', 'failed'] as const;

/** Everything about a person or an organization, as one ZIP; created by a job, and deleted a day later. */
export const DataExport = z.object({
  id: idOf('dataExport'),
  state: z.enum(dataExportStates),
  /** Parts written, and parts in total; 0 until they are counted. */
  done: z.number().int(),
  total: z.number().int(),
  bytes: z.number().int().nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type DataExport = z.infer<typeof DataExport>;

/** Since the last message; null: forever. A plan never causes deletion; it only limits how far back insights are shown. */
export const RetentionDays = z.number().int().min(1).max(RETENTION_MAX_DAYS).nullable();

/** What would be deleted at present if conversations were kept for this long. */
export const RetentionPreview = z.object({
  conversations: z.number().int(),
  messages: z.number().int(),
  files: z.number().int(),
  /** People the agent would no longer know. */
  people: z.number().int(),
  /** The last message of the oldest conversation that stays; null: none stays. */
  oldestKeptAt: Timestamp.nullable(),
});
export type RetentionPreview = z.infer<typeof RetentionPreview>;

const ofAgent = z.strictObject({ id: idOf('agent') });
const newest = z.object({ export: DataExport.nullable() });
const begun = z.object({ export: DataExport });
/** An organization; omitted: the caller. */
const ofWhat = z.strictObject({ of: idOf('organization').optional() });
const exportLimit = { requests: DATA_EXPORTS_PER_HOUR_AND_ADDRESS, seconds: 3600 };

/** Typed by the person erasing, to prevent accidents. */
const confirmation = z.literal('erase');
const limit = { requests: ERASURES_PER_HOUR_AND_ADDRESS, seconds: 3600 };

export const privacy = {
  /**
   * Starts exporting everything about the caller or, for its owner, an organization: agents as files, people,
   * conversations, sales, settings, the audit log, no secrets. If an export is in progress, returns that one; a new
   * export replaces an older one.
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
  /** A ZIP, of either kind. Errors: 404 for anyone else, and after it has expired; 403 for a caller who is no longer an owner. */
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
   * Erases the caller and everything about them, in every organization; for a visitor, what the site's organization
   * has. They are signed out at once, and nothing can be restored. Errors: 409 for the last owner of an organization.
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
  /** Erases what an agent has about one of its end users; their data elsewhere stays. */
  eraseEndUser: route({
    method: 'DELETE',
    path: '/v1/chatbot/{id}/users/{userId}',
    summary: 'Erase an end user of an agent',
    input: z.strictObject({ id: idOf('agent'), userId: idOf('user'), confirmation }),
    output: z.object({ erasure: Erasure }),
  }),
  /** How long an agent keeps its conversations; with `days`, what would be deleted under that setting. Changes nothing. */
  getRetention: route({
    method: 'GET',
    path: '/v1/chatbot/{id}/retention',
    summary: 'How long conversations are kept',
    input: ofAgent.extend({
      days: z.coerce.number<number>().int().min(1).max(RETENTION_MAX_DAYS).optional(),
    }),
    output: z.object({ days: RetentionDays, preview: RetentionPreview.nullable() }),
  }),
  /** Anything older is permanently deleted within the hour, and so is whatever passes the limit later. */
  setRetention: route({
    method: 'PUT',
    path: '/v1/chatbot/{id}/retention',
    summary: 'Set how long conversations are kept',
    input: ofAgent.extend({ days: RetentionDays }),
    output: z.object({ days: RetentionDays }),
  }),
  /** Errors: 404 for a token we didn't issue. */
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
