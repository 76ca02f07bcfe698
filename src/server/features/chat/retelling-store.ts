import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { HISTORY_MAX_MESSAGES } from '../../../contract/limits.ts';
import { conversation, message } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { ConversationKey, StoredConversation } from './store.ts';

/** Statements on conversations that are told to us anew with each question. */

export interface Told {
  role: 'user' | 'assistant';
  text: string;
}

/** Whose conversations with which agent. */
type ToldTo = Pick<StoredConversation, 'organizationId' | 'agentId' | 'userId'>;

/** Among so many newest conversations of an end user is looked for the one that is told. */
const LOOKED_THROUGH = 20;

/**
 * The end user's conversation that ends in exactly these words and is answering nothing, locked until the transaction ends;
 * undefined when there is none. What another transaction holds is passed over, so nobody waits.
 */
export async function lockTold(tx: Tx, to: ToldTo, said: Told[]): Promise<ConversationKey | undefined> {
  const [id] = await findTold(tx, to, said);
  if (id === undefined) return undefined;
  const isIt = and(eq(conversation.organizationId, to.organizationId), eq(conversation.id, id));
  const [locked] = await tx
    .select({ id: conversation.id, organizationId: conversation.organizationId })
    .from(conversation)
    .where(and(isIt, isNull(conversation.answering), isNull(conversation.deletedAt)))
    .for('no key update', { skipLocked: true });
  if (!locked) return undefined;
  // Something may have been said before the lock was there.
  const still = await findTold(tx, to, said, sql`and c.id = ${id}`);
  return still.length > 0 ? locked : undefined;
}

async function findTold(
  tx: Tx,
  { organizationId, agentId, userId }: ToldTo,
  said: Told[],
  only: SQL = sql``,
): Promise<string[]> {
  const words = JSON.stringify(said.map(({ role, text }) => [role, text]));
  const { rows } = await tx.execute<{ id: string }>(sql`
    with recent as (
      select c.id, c.updated_at from conversation c
       where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and c.user_id = ${userId}
         and c.kind = 'chat' and not c.temporary and c.deleted_at is null and c.answering is null
         and c.handling in ('bot', 'closed') ${only}
       order by c.updated_at desc, c.id desc limit ${LOOKED_THROUGH})
    select id from recent where ${words}::jsonb = (
      select jsonb_agg(jsonb_build_array(role, text) order by sequence) from (
        select m.role, m.text, m.sequence from message m
         where m.organization_id = ${organizationId} and m.conversation_id = recent.id and m.active and m.text <> ''
         order by m.sequence desc limit ${HISTORY_MAX_MESSAGES}) m)
     order by updated_at desc, id desc limit 1`);
  return rows.map(({ id }) => id);
}

/** Writes what was said into a new conversation, as it was told: these answers have no receipt, we have not made them. */
export async function insertTold(
  tx: Tx,
  { organizationId, id: conversationId }: ConversationKey,
  said: Told[],
): Promise<void> {
  if (said.length === 0) return;
  const ids = said.map(() => newId('message'));
  await tx.insert(message).values(
    said.map(({ role, text }, index) => ({
      id: ids[index] as string,
      organizationId,
      conversationId,
      role,
      text,
      state: 'complete' as const,
      sequence: index + 1,
      parentId: ids[index - 1] ?? null,
    })),
  );
  await tx
    .update(conversation)
    .set({ lastSequence: said.length })
    .where(and(eq(conversation.organizationId, organizationId), eq(conversation.id, conversationId)));
}
