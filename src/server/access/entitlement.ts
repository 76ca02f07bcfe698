import { and, eq, inArray, sql } from 'drizzle-orm';
import { TOOL_CALLS_AN_ANSWER_MAX } from '../../contract/limits.ts';
import type { PaymentConfig } from '../../contract/product.ts';
import { AppError } from '../app-error.ts';
import type { ChatCaller } from '../call.ts';
import { entitlement, message, purchase, type ledgerAccounts } from '../db/schema/index.ts';
import type { Tx } from '../db/scope.ts';
import { isMemberWhoSees, type Agent } from './gate.ts';

/** Who may ask an agent that sells. This is the only place that checks it, wherever the question comes from. */

export type StoredEntitlement = typeof entitlement.$inferSelect & { terms: PaymentConfig };
type LedgerAccount = (typeof ledgerAccounts)[number];

/** What an answer takes from a product's credits, and what is held for it. */
export interface Charge {
  held: number;
  message: number;
  toolCall: number;
  /** How many calls the held credits pay for. */
  callsMax: number;
}

interface Holder {
  organizationId: string;
  agentId: string;
  userId: string;
}

export const openStates = ['active', 'trialing', 'past-due'] as const;

/** A renewing entitlement doesn't end by the clock: the provider reports when it is over. */
export function isOpen(
  { state, endsAt, renews }: Pick<StoredEntitlement, 'state' | 'endsAt' | 'renews'>,
  now = new Date(),
): boolean {
  const isLive = openStates.some((open) => open === state);
  return isLive && (renews || endsAt === null || endsAt > now);
}

/** Moves credits between two ledger accounts. False if there aren't enough. */
export async function moveCredits(
  tx: Tx,
  { organizationId, id }: Pick<StoredEntitlement, 'organizationId' | 'id'>,
  { from, to, amount, reason }: { from: LedgerAccount; to: LedgerAccount; amount: number; reason: string },
  messageId: string | null = null,
): Promise<boolean> {
  const { rows } = await tx.execute<{ moved: boolean }>(
    sql`select move_credits(${id}, ${organizationId}, ${from}, ${to}, ${amount}::int, ${reason}, ${messageId}) as moved`,
  );
  return rows[0]?.moved === true;
}

/** Starts a period: its credits replace what is left of the previous ones. */
export async function replenish(
  tx: Tx,
  found: Pick<StoredEntitlement, 'organizationId' | 'id' | 'creditsLeft'>,
  { credits, periodStart }: { credits: number | null; periodStart: Date | null },
): Promise<void> {
  const isIt = and(eq(entitlement.organizationId, found.organizationId), eq(entitlement.id, found.id));
  await tx
    .update(entitlement)
    .set({ periodStart, replenishedAt: sql`clock_timestamp()` })
    .where(isIt);
  await moveCredits(tx, found, { from: 'left', to: 'expired', amount: found.creditsLeft, reason: 'expire' });
  await moveCredits(tx, found, { from: 'issued', to: 'left', amount: credits ?? 0, reason: 'grant' });
}

/** A person's entitlements that open an agent's chat, with their current credits; locked until the transaction ends. */
export async function lockOpen(tx: Tx, holder: Holder): Promise<StoredEntitlement[]> {
  const rows = await tx
    .select({ entitlement, terms: purchase.terms })
    .from(entitlement)
    .innerJoin(
      purchase,
      and(eq(purchase.id, entitlement.purchaseId), eq(purchase.organizationId, entitlement.organizationId)),
    )
    .where(
      and(
        eq(entitlement.organizationId, holder.organizationId),
        eq(entitlement.agentId, holder.agentId),
        eq(entitlement.userId, holder.userId),
        inArray(entitlement.state, [...openStates]),
      ),
    )
    .orderBy(entitlement.id)
    .for('no key update', { of: entitlement });
  const open: StoredEntitlement[] = [];
  for (const { entitlement: row, terms } of rows) {
    const found = { ...row, terms };
    if (isOpen(found)) open.push(await withMonth(tx, found));
  }
  return open;
}

/** A free product's credits are renewed every month, on the day the person got it. */
async function withMonth(tx: Tx, found: StoredEntitlement): Promise<StoredEntitlement> {
  const { terms } = found;
  const month = monthOfFree(found);
  if (!month || terms.kind !== 'free') return found;
  await replenish(tx, found, { credits: terms.credits, periodStart: month });
  return { ...found, creditsLeft: terms.credits, periodStart: month };
}

/** The month that has started since its credits last came; undefined: none, or they don't come monthly. */
export function monthOfFree({
  terms,
  periodStart,
  createdAt,
}: Pick<StoredEntitlement, 'terms' | 'periodStart' | 'createdAt'>): Date | undefined {
  if (terms.kind !== 'free' || !periodStart) return undefined;
  const month = monthAt(periodStart, new Date(), createdAt.getUTCDate());
  return month > periodStart ? month : undefined;
}

/**
 * The start of the month that contains a moment, counted from another month's start. All start on the same day of the
 * month, or on its last day if it is shorter: a series begun on the 31st starts on the 28th in February, and on the
 * 31st again in March.
 */
export function monthAt(first: Date, now: Date, day: number): Date {
  const passed =
    (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth();
  const begun = addMonths(first, passed, day);
  return begun > now ? addMonths(first, passed - 1, day) : begun;
}

function addMonths(first: Date, months: number, day: number): Date {
  const moved = new Date(first);
  moved.setUTCMonth(first.getUTCMonth() + months, 1);
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, days));
  return moved;
}

/** Unlimited entitlements are used before counted ones, and of those the one that ends first. */
export function usable(open: StoredEntitlement[], least: (found: StoredEntitlement) => number) {
  const endOf = ({ endsAt }: StoredEntitlement) => endsAt?.getTime() ?? Infinity;
  return open
    .filter((found) => found.isUnlimited || found.creditsLeft >= least(found))
    .toSorted(
      (a, b) =>
        Number(b.isUnlimited) - Number(a.isUnlimited) || (endOf(a) === endOf(b) ? 0 : endOf(a) - endOf(b)),
    )
    .at(0);
}

/** Even if an answer costs nothing: someone who has used all credits has used up what they bought. */
export function leastToAsk({ terms }: StoredEntitlement): number {
  return Math.max(1, terms.creditsAMessage);
}

/** Errors: 402 for a caller without anything that opens the chat; members who see the agent need nothing. */
export async function requireEntitled(tx: Tx, agent: Agent, caller: ChatCaller): Promise<void> {
  if (!agent.sells || (await isMemberWhoSees(tx, agent, caller))) return;
  const open = await lockOpen(tx, holderOf(agent, caller));
  if (!usable(open, leastToAsk)) throw paymentRequired(open);
}

/**
 * Holds the maximum that an answer may cost its asker: for a new answer, the answer itself plus tool calls; for a
 * resumed one, the calls that were agreed to. Whoever settles the answer returns the unused part. Undefined: it costs
 * nothing. Errors: 402.
 */
export async function holdCredits(
  tx: Tx,
  {
    agent,
    caller,
    answer,
    goesOnWith,
    mayCall,
  }: {
    agent: Agent;
    caller: ChatCaller;
    answer: { id: string; organizationId: string };
    /** The answer has been paid for, and resumes with this many calls. */
    goesOnWith?: number | undefined;
    mayCall: boolean;
  },
): Promise<Charge | undefined> {
  if (!agent.sells || (await isMemberWhoSees(tx, agent, caller))) return undefined;
  const open = await lockOpen(tx, holderOf(agent, caller));
  const found = usable(open, (each) =>
    goesOnWith === undefined ? leastToAsk(each) : each.terms.creditsAToolCall * goesOnWith,
  );
  if (!found) throw paymentRequired(open);
  if (found.isUnlimited) return undefined;
  const { creditsAMessage, creditsAToolCall: toolCall } = found.terms;
  const cost = goesOnWith === undefined ? creditsAMessage : 0;
  const calls = mayCall ? toolCall * TOOL_CALLS_AN_ANSWER_MAX : 0;
  const held = Math.min(found.creditsLeft, cost + calls);
  const isHeld = await moveCredits(
    tx,
    found,
    { from: 'left', to: 'held', amount: held, reason: 'hold' },
    answer.id,
  );
  if (!isHeld) throw paymentRequired(open);
  await tx
    .update(message)
    .set({ entitlementId: found.id, held })
    .where(and(eq(message.organizationId, answer.organizationId), eq(message.id, answer.id)));
  const callsMax = toolCall === 0 ? TOOL_CALLS_AN_ANSWER_MAX : Math.floor((held - cost) / toolCall);
  return { held, message: cost, toolCall, callsMax };
}

function holderOf({ organizationId, id: agentId }: Agent, { userId }: ChatCaller): Holder {
  return { organizationId, agentId, userId };
}

function paymentRequired(open: StoredEntitlement[]): AppError {
  return open.length > 0
    ? new AppError('payment/required', 'You have used all your credits for this agent.')
    : new AppError('payment/required');
}
