import { sql } from 'drizzle-orm';
import { VISITOR_MESSAGES_MAX, VISITOR_MESSAGES_SECONDS } from '../../../contract/limits.ts';
import { addressGroup, takeAllowance } from '../../access/allowance.ts';
import { roleOf } from '../../access/standing.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { TurnRequest } from './turn-store.ts';

/**
 * One message of a visitor or a guest, or one more try to answer it: what somebody nobody knows can cost is bounded. A guest
 * who is a member of the agent's organization is known. Errors: 429.
 */
export async function takeMessage(tx: Tx, caller: ChatCaller, organizationId: string): Promise<void> {
  if (caller.kind === 'user' && (await isKnown(tx, caller, organizationId))) return;
  await takeAllowance(tx, keyOf(caller), messageLimit);
}

/** The same as part of the statement that begins an answer; undefined for who is known wherever they are. */
export function countedMessages(caller: ChatCaller): TurnRequest['counted'] {
  if (caller.kind === 'visitor') return { key: keyOf(caller), limit: messageLimit, unless: sql`false` };
  if (!caller.isAnonymous) return undefined;
  const unless = sql`exists (select from member m
    where m.organization_id = opened.organization_id and m.user_id = ${caller.userId})`;
  return { key: keyOf(caller), limit: messageLimit, unless };
}

const messageLimit = { max: VISITOR_MESSAGES_MAX, seconds: VISITOR_MESSAGES_SECONDS };

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
