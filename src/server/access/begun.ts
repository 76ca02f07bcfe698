import { and, eq, isNull } from 'drizzle-orm';
import { may, type Permission } from '../../contract/access.ts';
import { AppError } from '../app-error.ts';
import type { MemberCaller } from '../call.ts';
import { agent, apiKey } from '../db/schema/index.ts';
import type { Tx } from '../db/scope.ts';
import { standingOf } from './standing.ts';

/**
 * Work that goes on after its request in the name of whoever began it: it brings in, hands out or spends what only they were
 * allowed to. It ends when they could not begin it any more. What the organization has been told to do as its own goes on
 * without them: items are read, what was deleted or erased goes, what was said is delivered.
 */
export interface Begun {
  organizationId: string;
  /** The person or the key. */
  by: string;
  /** What it took to begin it. */
  permission: Permission;
  /** The agent that it concerns, which they have to see. */
  agentId?: string;
}

/** Whoever began it, as far as the rules of organizations go. */
export function beginnerOf({ by, organizationId }: Pick<Begun, 'by' | 'organizationId'>): MemberCaller {
  return by.startsWith('key_')
    ? { kind: 'key', keyId: by, organizationId, scope: 'write' }
    : { kind: 'user', userId: by, sessionId: '', isAnonymous: false, isMember: true };
}

/** False once the key is revoked, the person has left, or their role or teams do not allow it any more. */
export async function mayGoOn(tx: Tx, begun: Begun): Promise<boolean> {
  const { organizationId, permission, agentId } = begun;
  const caller = beginnerOf(begun);
  if (caller.kind === 'key' && !(await isValid(tx, caller.keyId, organizationId))) return false;
  const standing = await standingOf(tx, organizationId, caller);
  if (!standing || !may(standing.role, permission)) return false;
  if (agentId === undefined) return true;
  const isIt = and(eq(agent.id, agentId), eq(agent.organizationId, organizationId), standing.agents);
  return (await tx.select({ id: agent.id }).from(agent).where(isIt)).length > 0;
}

/** To be asked where it begins, and once more in the transaction that makes it final: hours may lie between. */
export async function requireGoingOn(tx: Tx, begun: Begun): Promise<void> {
  if (!(await mayGoOn(tx, begun)))
    throw new AppError('auth/forbidden', 'The person who started this is no longer allowed to do it.');
}

async function isValid(tx: Tx, keyId: string, organizationId: string): Promise<boolean> {
  const isIt = and(eq(apiKey.id, keyId), eq(apiKey.organizationId, organizationId), isNull(apiKey.revokedAt));
  return (
    (
      await tx
        .select({ id: apiKey.id })
        .from(apiKey)
        .where(and(isIt, eq(apiKey.scope, 'write')))
    ).length > 0
  );
}
