import { and, eq, sql } from 'drizzle-orm';
import { conversation } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { StoredConversation } from './store.ts';

/** To-the-second accuracy isn't needed. */
const AGAIN_AFTER_MS = 15_000;

/**
 * The end user looks at a conversation in which a person is or was requested, or wrote: members see that they are there, and
 * messages they have read aren't emailed. Nothing is written for conversations only the agent handles. True if they
 * have read something by a member for the first time.
 */
export async function noteSeen(
  tx: Tx,
  { organizationId, id, handling, seenSequence, seenAt, operatorSequence }: StoredConversation,
  readUpTo = 0,
): Promise<boolean> {
  if (handling === 'bot' && seenSequence === 0 && operatorSequence === 0) return false;
  const isFresh = seenAt !== null && Date.now() - seenAt.getTime() < AGAIN_AFTER_MS;
  if (isFresh && readUpTo <= seenSequence) return false;
  await tx
    .update(conversation)
    .set({ seenSequence: sql`greatest(${conversation.seenSequence}, ${readUpTo}::int)`, seenAt: sql`now()` })
    .where(and(eq(conversation.organizationId, organizationId), eq(conversation.id, id)));
  return operatorSequence > seenSequence && readUpTo > seenSequence;
}
