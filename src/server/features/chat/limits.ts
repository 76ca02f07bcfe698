import { VISITOR_MESSAGES_MAX, VISITOR_MESSAGES_SECONDS } from '../../../contract/limits.ts';
import { addressGroup, takeAllowance } from '../../access/allowance.ts';
import { roleOf } from '../../access/standing.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';

/** One message of a visitor, or one more try to answer it. Errors: 429. */
export async function takeMessage(tx: Tx, caller: ChatCaller): Promise<void> {
  if (caller.kind !== 'visitor') return;
  const limit = { max: VISITOR_MESSAGES_MAX, seconds: VISITOR_MESSAGES_SECONDS };
  await takeAllowance(tx, `messages of ${caller.visitorId}`, limit);
}

/**
 * One conversation of somebody nobody knows, guest or visitor: counted by address, since they can become a new one. A guest
 * who is a member of the agent's organization is known. Errors: 429.
 */
export async function takeConversation(
  tx: Tx,
  caller: ChatCaller,
  { organizationId, address, perHour }: { organizationId: string; address: string; perHour: number },
): Promise<void> {
  const isKnown = caller.kind === 'visitor' ? caller.isNamed : !caller.isAnonymous;
  if (isKnown || (caller.kind === 'user' && (await roleOf(tx, organizationId, caller.userId)))) return;
  await takeAllowance(tx, `conversations from ${addressGroup(address)}`, { max: perHour, seconds: 3600 });
}
