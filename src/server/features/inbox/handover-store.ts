import { and, eq, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { permissions } from '../../../contract/access.ts';
import type { Handling } from '../../../contract/handling.ts';
import type { handoverOrigins } from '../../../contract/inbox.ts';
import { isSeenBy } from '../../access/standing.ts';
import { agent, conversation, handover, member } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { ConversationKey } from '../chat/store.ts';

/** Every statement that changes who answers in a conversation. A given conversation must be locked. */

export type HandoverOrigin = (typeof handoverOrigins)[number];

/** From the agent to whoever takes it. False if a person already has it, or is about to. */
export async function requestPerson(
  tx: Tx,
  key: ConversationKey,
  { by, reason }: { by: HandoverOrigin; reason: string },
): Promise<boolean> {
  const { organizationId, id: conversationId } = key;
  const begun = await tx
    .insert(handover)
    .values({ id: newId('handover'), organizationId, conversationId, by, reason })
    .onConflictDoNothing()
    .returning({ id: handover.id });
  if (begun.length === 0) return false;
  await setHandling(tx, key, 'waiting', null);
  return true;
}

/** To this member, whoever had it before. */
export async function giveTo(tx: Tx, key: ConversationKey, userId: string): Promise<void> {
  await requestPerson(tx, key, { by: 'member', reason: '' });
  await tx
    .update(handover)
    .set({ takenBy: sql`coalesce(taken_by, ${userId})`, takenAt: sql`coalesce(taken_at, now())` })
    .where(isOpenOf(key));
  await setHandling(tx, key, 'human', userId);
}

/** Back to the agent, or closed. */
export async function endHandover(tx: Tx, key: ConversationKey, handling: 'bot' | 'closed'): Promise<void> {
  await tx
    .update(handover)
    .set({ endedAt: sql`now()` })
    .where(isOpenOf(key));
  await setHandling(tx, key, handling, null);
}

// Aliased, because `isSeenBy` queries the members too.
const helper = alias(member, 'helper');

/**
 * Conversations held by a member who may no longer answer them, because of their role or teams, wait for another:
 * nobody else would be told that they need an answer.
 */
export async function waitForAnother(tx: Tx, organizationId: string): Promise<void> {
  const mayAnswer = tx
    .select({ id: helper.id })
    .from(helper)
    .innerJoin(
      agent,
      and(eq(agent.organizationId, helper.organizationId), eq(agent.id, conversation.agentId)),
    )
    .where(
      and(
        eq(helper.organizationId, organizationId),
        eq(helper.userId, conversation.assigneeId),
        inArray(helper.role, [...permissions['agent.write']]),
        isSeenBy(sql`${helper.userId}`),
      ),
    );
  await tx
    .update(conversation)
    .set({ handling: 'waiting', assigneeId: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(conversation.organizationId, organizationId),
        eq(conversation.handling, 'human'),
        isNotNull(conversation.assigneeId),
        notExists(mayAnswer),
      ),
    );
}

const isOpenOf = ({ organizationId, id }: ConversationKey) =>
  and(eq(handover.organizationId, organizationId), eq(handover.conversationId, id), isNull(handover.endedAt));

async function setHandling(
  tx: Tx,
  { organizationId, id }: ConversationKey,
  handling: Handling,
  assigneeId: string | null,
): Promise<void> {
  await tx
    .update(conversation)
    .set({ handling, assigneeId, updatedAt: sql`now()` })
    .where(and(eq(conversation.organizationId, organizationId), eq(conversation.id, id)));
}
