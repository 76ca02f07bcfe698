import {
  OUTSIDER_MESSAGES_PER_HOUR,
  VISITOR_MESSAGES_MAX,
  VISITOR_MESSAGES_SECONDS,
} from '../../../contract/limits.ts';
import {
  addressGroup,
  requireAllowance,
  takeAllowance,
  type AllowanceLimit,
} from '../../access/allowance.ts';
import type { Agent } from '../../access/gate.ts';
import { roleOf } from '../../access/standing.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';

type Asked = Pick<Agent, 'organizationId' | 'sells'>;

/**
 * Takes one message, or one repeated answer, from the allowance of a non-member of the agent's organization: it limits
 * what others can make it pay for, and an address to sign in with takes only a minute to get. Errors: 429.
 */
export async function takeMessage(tx: Tx, caller: ChatCaller, agent: Asked): Promise<void> {
  if (!(await isFree(tx, caller, agent)))
    await takeAllowance(tx, keyOf(caller), messageLimits[kindOf(caller)]);
}

/** Checks that one is left before doing something costly for it. Errors: 429. */
export async function requireMessageLeft(tx: Tx, caller: ChatCaller, agent: Asked): Promise<void> {
  if (!(await isFree(tx, caller, agent)))
    await requireAllowance(tx, keyOf(caller), messageLimits[kindOf(caller)]);
}

/** Messages of members aren't counted, nor those of signed-in buyers asking what they paid for: the price limits these. */
async function isFree(tx: Tx, caller: ChatCaller, { organizationId, sells }: Asked): Promise<boolean> {
  if (caller.kind === 'visitor') return false;
  return (sells && !caller.isAnonymous) || (await isMember(tx, caller, organizationId));
}

/** Someone whose messages are counted, under this key. */
export interface Counted {
  who: 'visitor' | 'guest' | 'person';
  key: string;
}

/** Who is counted by the statement that starts an answer of an agent that doesn't sell. */
export function countedMessages(caller: ChatCaller): Counted {
  return { who: kindOf(caller), key: keyOf(caller) };
}

const ofNobodyKnown = { max: VISITOR_MESSAGES_MAX, seconds: VISITOR_MESSAGES_SECONDS };
export const messageLimits: Record<Counted['who'], AllowanceLimit> = {
  visitor: ofNobodyKnown,
  guest: ofNobodyKnown,
  person: { max: OUTSIDER_MESSAGES_PER_HOUR, seconds: 3600 },
};

function kindOf(caller: ChatCaller): Counted['who'] {
  if (caller.kind === 'visitor') return 'visitor';
  return caller.isAnonymous ? 'guest' : 'person';
}

function keyOf(caller: ChatCaller): string {
  return `messages of ${caller.kind === 'visitor' ? caller.visitorId : caller.userId}`;
}

/**
 * Takes one conversation of an anonymous person, guest or visitor: counted by address, since they can always become a
 * new one. A guest who is a member of the agent's organization isn't anonymous. Errors: 429.
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
  return !caller.isAnonymous || isMember(tx, caller, organizationId);
}

async function isMember(tx: Tx, { userId }: ChatCaller, organizationId: string): Promise<boolean> {
  return (await roleOf(tx, organizationId, userId)) !== undefined;
}
