import { and, eq, sql } from 'drizzle-orm';
import { conversation, message } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import { inConversation, type ConversationKey, type StoredMessage } from './store.ts';

/**
 * Stores what somebody said without an answer to it, at the end of the branch that is shown. The conversation must be
 * locked, with no answer under way.
 */
export async function insertSaid(
  tx: Tx,
  key: ConversationKey,
  values: Pick<StoredMessage, 'text' | 'attachments' | 'authorId'>,
): Promise<StoredMessage> {
  const [numbered] = await tx
    .update(conversation)
    .set({ lastSequence: sql`${conversation.lastSequence} + 1`, updatedAt: sql`now()` })
    .where(and(eq(conversation.id, key.id), eq(conversation.organizationId, key.organizationId)))
    .returning({ sequence: conversation.lastSequence });
  const [leaf] = await tx
    .select({ id: message.id })
    .from(message)
    .where(and(inConversation(key), eq(message.active, true)))
    .orderBy(sql`${message.sequence} desc`)
    .limit(1);
  const [made] = await tx
    .insert(message)
    .values({
      ...values,
      id: newId('message'),
      organizationId: key.organizationId,
      conversationId: key.id,
      role: 'user',
      state: 'complete',
      sequence: numbered?.sequence ?? 1,
      parentId: leaf?.id ?? null,
    })
    .returning();
  return made as StoredMessage;
}
