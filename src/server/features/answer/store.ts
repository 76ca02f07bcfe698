import { and, eq, inArray, sql } from 'drizzle-orm';
import type { feedbackReasons, ratings } from '../../../contract/chat.ts';
import { chunk, messageFeedback, source } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { StoredMessage } from '../chat/store.ts';

interface Opinion {
  rating: (typeof ratings)[number];
  reason: (typeof feedbackReasons)[number] | null;
  comment: string;
}

/** Replaces the same person's earlier rating. */
export async function putFeedback(
  tx: Tx,
  { id, organizationId }: StoredMessage,
  userId: string,
  opinion: Opinion,
): Promise<void> {
  await tx
    .insert(messageFeedback)
    .values({ messageId: id, userId, organizationId, ...opinion })
    .onConflictDoUpdate({
      target: [messageFeedback.messageId, messageFeedback.userId],
      set: { ...opinion, updatedAt: sql`now()` },
    });
}

export async function removeFeedback(
  tx: Tx,
  { id, organizationId }: StoredMessage,
  userId: string,
): Promise<void> {
  await tx
    .delete(messageFeedback)
    .where(
      and(
        eq(messageFeedback.organizationId, organizationId),
        eq(messageFeedback.messageId, id),
        eq(messageFeedback.userId, userId),
      ),
    );
}

/** Passages that still exist, by id. */
export async function findPassages(
  tx: Tx,
  organizationId: string,
  ids: string[],
): Promise<Map<string, { title: string; text: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: chunk.id, title: source.title, text: chunk.text })
    .from(chunk)
    .innerJoin(source, eq(source.id, chunk.sourceId))
    .where(and(eq(chunk.organizationId, organizationId), inArray(chunk.id, ids)));
  return new Map(rows.map(({ id, ...passage }) => [id, passage]));
}
