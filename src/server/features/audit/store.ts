import { and, desc, eq, gte, lt, lte, or, sql } from 'drizzle-orm';
import type { AuditedCall } from '../../../contract/audited.ts';
import { callerId, type MemberCaller, type RequestContext } from '../../call.ts';
import { apiKey, auditEntry, user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { holdsAll, wordsOf } from '../../db/words.ts';
import { newId } from '../../id.ts';
import { changesBetween, type Fields } from './changes.ts';

export type StoredEntry = typeof auditEntry.$inferSelect;

export interface Change {
  organizationId: string;
  action: AuditedCall;
  target: { id: string; name: string };
  /** Omitted for something created. */
  before?: Fields;
  /** Omitted for something deleted. */
  after?: Fields;
}

const TARGET_NAME_MAX_CHARACTERS = 200;

/** Records a change in the transaction that makes it: there is no change without its entry, and no entry without a change. */
export async function recordAudit(
  tx: Tx,
  caller: MemberCaller,
  { address }: Pick<RequestContext, 'address'>,
  { organizationId, action, target, before, after }: Change,
): Promise<void> {
  const changes = changesBetween(before ?? {}, after ?? {});
  const isSame = Object.keys(changes.before).length + Object.keys(changes.after).length === 0;
  if (before && after && isSame) return;
  await tx.insert(auditEntry).values({
    id: newId('audit'),
    organizationId,
    action,
    actorId: caller.kind === 'user' ? caller.userId : null,
    actorName: await nameOf(tx, caller),
    targetId: target.id,
    targetName: target.name.slice(0, TARGET_NAME_MAX_CHARACTERS).toWellFormed(),
    ...changes,
    address,
  });
}

async function nameOf(tx: Tx, caller: MemberCaller): Promise<string> {
  const id = callerId(caller);
  const [found] =
    caller.kind === 'user'
      ? await tx.select({ name: user.name }).from(user).where(eq(user.id, id))
      : await tx.select({ name: apiKey.name }).from(apiKey).where(eq(apiKey.id, id));
  const name = found?.name ?? id;
  return caller.kind === 'user' ? name : `API key ${name}`;
}

export interface Filter {
  organizationId: string;
  action?: string | undefined;
  actorId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
}

const named = sql`concat_ws(' ', ${auditEntry.actorName}, ${auditEntry.targetName}, ${auditEntry.address})`;

/** Newest first. */
export async function listEntries(
  tx: Tx,
  { organizationId, action, actorId, from, to, search }: Filter,
  count: number,
  before?: { updatedAt: Date; id: string },
): Promise<StoredEntry[]> {
  const older =
    before &&
    or(
      lt(auditEntry.createdAt, before.updatedAt),
      and(eq(auditEntry.createdAt, before.updatedAt), lt(auditEntry.id, before.id)),
    );
  return tx
    .select()
    .from(auditEntry)
    .where(
      and(
        eq(auditEntry.organizationId, organizationId),
        action === undefined ? undefined : eq(auditEntry.action, action),
        actorId === undefined ? undefined : eq(auditEntry.actorId, actorId),
        from === undefined ? undefined : gte(auditEntry.createdAt, new Date(from)),
        to === undefined ? undefined : lte(auditEntry.createdAt, new Date(to)),
        search ? holdsAll(named, wordsOf(search)) : undefined,
        older,
      ),
    )
    .orderBy(desc(auditEntry.createdAt), desc(auditEntry.id))
    .limit(count);
}
