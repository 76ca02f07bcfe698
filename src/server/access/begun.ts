import { and, eq, isNull } from 'drizzle-orm';
import { may, type Permission } from '../../contract/access.ts';
import { AppError } from '../app-error.ts';
import type { MemberCaller } from '../call.ts';
import { agent, apiKey } from '../db/schema/index.ts';
import type { Tx } from '../db/scope.ts';
import { standingOf } from './standing.ts';

/**
 * Work that outlives its request, on behalf of whoever started it: it brings in, hands out or spends what only they
 * were allowed to. It ends once they could no longer start it. Work the organization was asked to do in its own right
 * continues without them: items are read, deleted or erased data goes, messages are delivered.
 */
export interface Begun {
  organizationId: string;
  /** The person or the key. */
  by: string;
  /** The permission needed to start it. */
  permission: Permission;
  /** The agent concerned, which they must be able to see. */
  agentId?: string;
}

/** Whoever started it, for the purposes of the organization's rules. */
export function beginnerOf({ by, organizationId }: Pick<Begun, 'by' | 'organizationId'>): MemberCaller {
  return by.startsWith('key_')
    ? { kind: 'key', keyId: by, organizationId, scope: 'write' }
    : { kind: 'user', userId: by, sessionId: '', isAnonymous: false, isMember: true };
}

/** False once the key is revoked, the person has left, or their role or teams no longer allow it. */
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

/** Check at the start, and again in the transaction that makes the work final: hours may lie between. */
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
