import { and, eq, gte, isNotNull, sql, type SQL } from 'drizzle-orm';
import type { Citation, MessageState } from '../../../contract/chat.ts';
import { message, type Receipt } from '../../db/schema/index.ts';
import type { Value } from '../../db/literal.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { Shape } from '../../db/shape.ts';
import { monthOf } from '../../access/credits.ts';
import type { TurnMessage } from './turn-store.ts';
import { findMessage, inConversation, type ConversationKey, type StoredMessage } from './store.ts';

/** Every statement on answers in progress, and on the branches they create. */

/**
 * Saves what these answers have so far; null: nothing new. Returns those that are still in progress: the others have
 * been settled elsewhere meanwhile, by being stopped. Never waits: rows locked by others are left for the next time.
 */
export async function saveProgress(
  db: Database,
  organizationId: string,
  told: { id: string; text: string | null }[],
): Promise<Set<string>> {
  const underWay = await db.often<{ id: string }>(
    { organizationId },
    sql`with told as (select id, text from json_to_recordset(${JSON.stringify(told)}::json) as told (id text, text text))
        , free as (select message.id, told.text from message join told on told.id = message.id
            where organization_id = ${organizationId} and state in ('pending', 'streaming') and told.text is not null
            for no key update of message skip locked)
        , saved as (update message set text = free.text, state = 'streaming', updated_at = now()
            from free where message.id = free.id and organization_id = ${organizationId})
        select message.id from message join told on told.id = message.id
         where organization_id = ${organizationId} and state in ('pending', 'streaming')`,
  );
  return new Set(underWay.map(({ id }) => id));
}

export interface Settlement {
  text: string;
  state: MessageState;
  citations: Citation[];
  suggestions: string[];
  error: string | null;
  receipt: Receipt;
  hasToolCalls: boolean;
  /** Out of what is held of the person's own credits. */
  spent: number;
}

/**
 * Settles an answer for good: from now on nobody works on it. Its cost is spent from what was held for it and the rest
 * is returned, once: by whoever settles first. Locks held by others are waited for separately, not along with other
 * answers.
 */
export async function settleAnswer(
  db: Database,
  answer: TurnMessage,
  settlement: Settlement,
): Promise<TurnMessage> {
  const { organizationId } = answer;
  const kind = answer.reserved > 0 ? 'paid' : 'free';
  const values = settledValues(answer, settlement);
  const [settled] = await db.together(organizationId, settling[kind].ifNotLocked.with(values));
  if (!settled) await db.often({ organizationId }, settling[kind].whenFree.with(values));
  return { ...answer, ...settlement, runner: null, reserved: 0, held: 0 };
}

const settlementColumns = {
  id: 'text',
  organizationId: 'text',
  conversationId: 'text',
  month: 'text',
  credits: 'int',
  text: 'text',
  state: 'text',
  error: 'text',
  spent: 'int',
  hasToolCalls: 'boolean',
  citations: 'text',
  suggestions: 'text',
  receipt: 'text',
} as const;

type SettlementName = keyof typeof settlementColumns;

function settledValues(
  { id, organizationId, conversationId, createdAt }: TurnMessage,
  { citations, suggestions, receipt, ...said }: Settlement,
): Record<SettlementName, Value> {
  return {
    ...said,
    id,
    organizationId,
    conversationId,
    month: monthOf(createdAt),
    credits: receipt.credits ?? 0,
    citations: JSON.stringify(citations),
    suggestions: JSON.stringify(suggestions),
    receipt: JSON.stringify(receipt),
  };
}

function settlingShape(isPaid: boolean, ifLocked: SQL): Shape<SettlementName> {
  const usage = sql`, spent as (
      update credit_usage set reserved = credit_usage.reserved - paid.reserved, used = credit_usage.used + paid.credits
        from (select "organizationId", month, sum(reserved)::int as reserved, sum(credits)::int as credits from held
               where reserved > 0 group by 1, 2) as paid
       where credit_usage.organization_id = paid."organizationId" and credit_usage.month = paid.month)`;
  const keys = { key: 'id', apart: 'conversationId' } as const;
  return new Shape(
    settlementColumns,
    keys,
    (asked) => sql`
    with open as (select asked.* from ${asked} asked
            join conversation c on c.id = asked."conversationId" and c.organization_id = asked."organizationId" for no key update of c ${ifLocked})
        , held as (select open.*, m.reserved from open
            join message m on m.id = open.id and m.organization_id = open."organizationId" for no key update of m ${ifLocked})
        , free as (update conversation set answering = null from held where conversation.id = held."conversationId"
            and conversation.organization_id = held."organizationId" and conversation.answering = held.id)
        ${isPaid ? usage : sql``}
        update message
           set text = held.text, state = held.state, error = held.error, runner = null, reserved = 0, held = 0,
               spent = message.spent + least(message.held, held.spent), updated_at = now(),
               has_tool_calls = held."hasToolCalls", citations = held.citations::jsonb,
               suggestions = held.suggestions::jsonb, receipt = held.receipt::jsonb
          from held where message.id = held.id and message.organization_id = held."organizationId"
          returning message.id as "askedBy"`,
  );
}

const shapesOf = (isPaid: boolean) => ({
  ifNotLocked: settlingShape(isPaid, sql`skip locked`),
  whenFree: settlingShape(isPaid, sql``),
});
const settling = { paid: shapesOf(true), free: shapesOf(false) };

export async function findAnswerUnderWay(tx: Tx, key: ConversationKey) {
  const [found] = await tx
    .select({ id: message.id })
    .from(message)
    .where(and(inConversation(key), isNotNull(message.runner)));
  return found && findMessage(tx, key.organizationId, found.id);
}

/** The message sent under this key, with its answer; without one if a person is to answer it. */
export async function findSent(
  tx: Tx,
  key: ConversationKey,
  sendKey: string,
): Promise<{ question: StoredMessage; answer: StoredMessage | undefined } | undefined> {
  const question = await findUnderKey(tx, key, sendKey);
  const [answer] = question
    ? await tx
        .select()
        .from(message)
        .where(and(inConversation(key), eq(message.parentId, question.id), eq(message.role, 'assistant')))
        .orderBy(message.sequence)
        .limit(1)
    : [];
  return question && { question, answer };
}

/** What is stored under this key: a sent message, or a repeated answer. */
export async function findUnderKey(
  tx: Tx,
  key: ConversationKey,
  sendKey: string,
): Promise<StoredMessage | undefined> {
  const [found] = await tx
    .select()
    .from(message)
    .where(and(inConversation(key), eq(message.sendKey, sendKey)));
  return found;
}

export async function keepUnderKey(tx: Tx, { id, organizationId }: StoredMessage, sendKey: string) {
  await tx
    .update(message)
    .set({ sendKey })
    .where(and(eq(message.organizationId, organizationId), eq(message.id, id)));
}

/** A message on the branch shown; undefined for any other. */
export async function findActive(
  tx: Tx,
  key: ConversationKey,
  id: string,
): Promise<StoredMessage | undefined> {
  const [found] = await tx
    .select()
    .from(message)
    .where(and(inConversation(key), eq(message.id, id), eq(message.active, true)));
  return found;
}

/** The last message of the branch shown. */
export async function findLeaf(tx: Tx, key: ConversationKey): Promise<StoredMessage | undefined> {
  const [found] = await tx
    .select()
    .from(message)
    .where(and(inConversation(key), eq(message.active, true)))
    .orderBy(sql`sequence desc`)
    .limit(1);
  return found;
}

/** Deactivates the branch shown from this position on; its messages stay. */
export async function leaveBranch(tx: Tx, key: ConversationKey, fromSequence: number): Promise<void> {
  await tx
    .update(message)
    .set({ active: false })
    .where(and(inConversation(key), eq(message.active, true), gte(message.sequence, fromSequence)));
}

/** An answer that produced nothing, not even a call, isn't a branch worth keeping. */
export async function removeEmptyAnswer(tx: Tx, key: ConversationKey, id: string): Promise<void> {
  await tx
    .delete(message)
    .where(
      and(inConversation(key), eq(message.id, id), eq(message.text, ''), eq(message.hasToolCalls, false)),
    );
}

/**
 * Shows the branch that contains this message, followed by the newest continuation at each step. False if there is no
 * such message.
 */
export async function chooseBranch(tx: Tx, key: ConversationKey, id: string): Promise<boolean> {
  const [chosen] = await tx
    .select()
    .from(message)
    .where(and(inConversation(key), eq(message.id, id)));
  if (!chosen) return false;
  const inside: SQL = sql`organization_id = ${key.organizationId} and conversation_id = ${key.id}`;
  await tx.execute(sql`
    with recursive up as (
        select id, parent_id from message where ${inside} and id = ${id}
        union all select m.id, m.parent_id from up join message m on m.id = up.parent_id and ${inside}),
      down as (
        select id from message where ${inside} and id = ${id}
        union all select child.id from down cross join lateral
          (select id from message where ${inside} and parent_id = down.id order by sequence desc limit 1) child),
      branch as (select id from up union select id from down)
    update message set active = (id in (select id from branch))
     where ${inside} and active <> (id in (select id from branch))`);
  return true;
}
