import { and, eq, sql } from 'drizzle-orm';
import { theOne } from '../../db/rows.ts';
import { conversation } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { holdsAll } from '../../db/words.ts';
import { isOf, type ConversationKey, type StoredConversation } from '../chat/store.ts';

/** A conversation that matches all words, and the message that contains them, unless only the title does. */
export interface Hit {
  id: string;
  updatedAt: Date;
  messageId: string | null;
  text: string;
}

/** The organizations in which a person has conversations. */
export async function organizationsOf(tx: Tx, userId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select distinct organization_id as id from conversation c where ${isOf(userId)} and c.deleted_at is null`,
  );
  return rows.map(({ id }) => id);
}

/** Newest first, within one organization. The newest message on the branch shown counts. */
export async function searchOwn(
  tx: Tx,
  organizationId: string,
  userId: string,
  {
    words,
    count,
    before,
  }: { words: string[]; count: number; before?: { updatedAt: Date; id: string } | undefined },
): Promise<Hit[]> {
  const older = before
    ? sql`and (c.updated_at, c.id) < (${before.updatedAt.toISOString()}::timestamptz, ${before.id})`
    : sql``;
  const { rows } = await tx.execute<{
    id: string;
    updatedAt: string;
    messageId: string | null;
    text: string;
  }>(sql`
    select c.id, c.updated_at as "updatedAt", m.id as "messageId", coalesce(m.text, c.title) as text
      from conversation c
      join agent a on a.organization_id = c.organization_id and a.id = c.agent_id and a.deleted_at is null
      left join lateral (select m.id, m.text from message m
        where m.conversation_id = c.id and m.organization_id = c.organization_id and m.active
          and m.role in ('user', 'assistant', 'operator') and ${holdsAll(sql`m.text`, words)}
        order by m.sequence desc limit 1) m on true
     where c.organization_id = ${organizationId} and ${isOf(userId)} and c.deleted_at is null and not c.temporary
       and (m.id is not null or ${holdsAll(sql`c.title`, words)}) ${older}
     order by c.updated_at desc, c.id desc limit ${count}`);
  return rows.map((row) => ({ ...row, updatedAt: new Date(row.updatedAt) }));
}

export async function updateConversation(
  tx: Tx,
  { organizationId, id }: ConversationKey,
  changes: {
    title?: string | undefined;
    pinnedAt?: Date | null | undefined;
    deletedAt?: Date | null | undefined;
    temporary?: boolean | undefined;
    createdAt?: Date | undefined;
  },
): Promise<StoredConversation> {
  const changed = await tx
    .update(conversation)
    .set({ ...changes, id })
    .where(and(eq(conversation.organizationId, organizationId), eq(conversation.id, id)))
    .returning();
  return theOne(changed);
}
