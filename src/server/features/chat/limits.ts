import { VISITOR_MESSAGES_MAX, VISITOR_MESSAGES_SECONDS } from '../../../contract/limits.ts';
import { addressGroup, requireAllowance, takeAllowance } from '../../access/allowance.ts';
import { roleOf } from '../../access/standing.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';

/**
 * One message of a visitor or a guest, or one more try to answer it: what somebody nobody knows can cost is bounded. A guest
 * who is a member of the agent's organization is known. Errors: 429.
 */
export async function takeMessage(tx: Tx, caller: ChatCaller, organizationId: string): Promise<void> {
  if (caller.kind === 'user' && (await isKnown(tx, caller, organizationId))) return;
  await takeAllowance(tx, keyOf(caller), messageLimit);
}

/** That there is one to take, before something is done for it that costs. Errors: 429. */
export async function requireMessageLeft(tx: Tx, caller: ChatCaller, organizationId: string): Promise<void> {
  if (caller.kind === 'user' && (await isKnown(tx, caller, organizationId))) return;
  await requireAllowance(tx, keyOf(caller), messageLimit);
}

/** Somebody whose messages are counted, under this key. */
export interface Counted {
  who: 'visitor' | 'guest';
  key: string;
}

/** Who is counted by the statement that begins an answer; undefined for who is known wherever they are. */
export function countedMessages(caller: ChatCaller): Counted | undefined {
  if (caller.kind === 'visitor') return { who: 'visitor', key: keyOf(caller) };
  return caller.isAnonymous ? { who: 'guest', key: keyOf(caller) } : undefined;
}

export const messageLimit = { max: VISITOR_MESSAGES_MAX, seconds: VISITOR_MESSAGES_SECONDS };

function keyOf(caller: ChatCaller): string {
  return `messages of ${caller.kind === 'visitor' ? caller.visitorId : caller.userId}`;
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
  if (await isKnown(tx, caller, organizationId)) return;
  await takeAllowance(tx, `conversations from ${addressGroup(address)}`, { max: perHour, seconds: 3600 });
}

async function isKnown(tx: Tx, caller: ChatCaller, organizationId: string): Promise<boolean> {
  if (caller.kind === 'visitor') return caller.isNamed;
  return !caller.isAnonymous || (await roleOf(tx, organizationId, caller.userId)) !== undefined;
}
