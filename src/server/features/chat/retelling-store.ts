import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { HISTORY_MAX_MESSAGES } from '../../../contract/limits.ts';
import { conversation, message } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { ConversationKey, StoredConversation } from './store.ts';

/** Statements on conversations whose history the client resends with each question. */

export interface Told {
  role: 'user' | 'assistant';
  text: string;
}

/** Whose conversations, and with which agent. */
type ToldTo = Pick<StoredConversation, 'organizationId' | 'agentId' | 'userId'>;

/** How many of an end user's newest conversations are searched for the one resent. */
const LOOKED_THROUGH = 20;

/**
 * The end user's conversation that ends in exactly these words and has no answer in progress, locked until the
 * transaction ends; undefined if there is none. Conversations locked by another transaction are skipped, so nobody
 * waits.
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
  // Something may have been said before the lock was acquired.
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

/** Writes the resent history into a new conversation: its answers have no receipt, because we didn't generate them. */
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
