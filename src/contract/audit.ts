import * as z from 'zod';
import { nextCursor, page, Search, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { route } from './route.ts';

/** One change. `before` and `after` hold the fields that changed, never a secret. */
export const AuditEntry = z.object({
  id: idOf('audit'),
  /** `member.invite`: the call that made it. */
  action: z.string(),
  actorId: idOf('user').nullable(),
  actorName: z.string(),
  /** What was changed, and its name at the time. */
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  address: z.string(),
  createdAt: Timestamp,
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const filter = {
  organizationId: idOf('organization'),
  action: text(80).optional(),
  actorId: idOf('user').optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional(),
  /** Matches the names of the actor and the target, and the address. */
  search: Search,
};

export const audit = {
  list: route({
    method: 'GET',
    path: '/v1/platform/audit',
    summary: 'The audit log, newest first',
    input: z.strictObject({ ...filter, cursor: page.cursor, count: page.count }),
    output: z.object({ entries: z.array(AuditEntry), nextCursor }),
  }),
  /** The newest 10,000 as CSV, safe to open in a spreadsheet. */
  export: route({
    method: 'GET',
    path: '/v1/platform/audit/export',
    summary: 'Export the audit log',
    input: z.strictObject(filter),
    output: z.object({ csv: z.string() }),
  }),
};
