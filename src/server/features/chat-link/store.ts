import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { isMemberWhoSees, organizationOf, requireChat } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Caller } from '../../call.ts';
import { agent, chatLink, conversation, message, participant } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import type { ConversationKey, OpenConversation } from '../chat/store.ts';
import { linkIdOf } from './token.ts';

export type StoredLink = typeof chatLink.$inferSelect;

const ofConversation = ({ organizationId, id }: ConversationKey) =>
  and(eq(chatLink.organizationId, organizationId), eq(chatLink.conversationId, id));

const isValid = and(
  isNull(chatLink.revokedAt),
  or(isNull(chatLink.expiresAt), gt(chatLink.expiresAt, sql`now()`)),
);

/** The valid ones, newest first. */
export async function listLinks(tx: Tx, key: ConversationKey): Promise<StoredLink[]> {
  return tx
    .select()
    .from(chatLink)
    .where(and(ofConversation(key), isValid))
    .orderBy(desc(chatLink.createdAt), desc(chatLink.id));
}

export async function insertLink(
  tx: Tx,
  values: Pick<
    StoredLink,
    | 'organizationId'
    | 'conversationId'
    | 'kind'
    | 'audience'
    | 'lastSequence'
    | 'lastMessageId'
    | 'title'
    | 'expiresAt'
  >,
): Promise<StoredLink> {
  const [made] = await tx
    .insert(chatLink)
    .values({ id: newId('chatLink'), ...values })
    .returning();
  return made as StoredLink;
}

/** On the branch shown; null: nothing has been said yet. */
export async function lastMessageOf(tx: Tx, { organizationId, id }: ConversationKey): Promise<string | null> {
  const [last] = await tx
    .select({ id: message.id })
    .from(message)
    .where(
      and(
        eq(message.organizationId, organizationId),
        eq(message.conversationId, id),
        eq(message.active, true),
      ),
    )
    .orderBy(desc(message.sequence))
    .limit(1);
  return last?.id ?? null;
}

/** False if there is no such valid link. */
export async function revokeLink(tx: Tx, key: ConversationKey, id: string): Promise<boolean> {
  const revoked = await tx
    .update(chatLink)
    .set({ revokedAt: sql`now()` })
    .where(and(ofConversation(key), eq(chatLink.id, id), isValid))
    .returning({ id: chatLink.id });
  return revoked.length > 0;
}

/** A valid link with its target; undefined if either is gone. */
async function findLink(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<(OpenConversation & { link: StoredLink }) | undefined> {
  const [found] = await tx
    .select({ link: chatLink, conversation, agent })
    .from(chatLink)
    .innerJoin(conversation, eq(conversation.id, chatLink.conversationId))
    .innerJoin(agent, eq(agent.id, conversation.agentId))
    .where(
      and(
        eq(chatLink.organizationId, organizationId),
        eq(chatLink.id, id),
        isValid,
        isNull(conversation.deletedAt),
        isNull(agent.deletedAt),
      ),
    );
  return found;
}

/** Concurrent counts for this room wait until this transaction ends, so that the number stays correct. */
export async function countPeople(tx: Tx, { organizationId, id }: ConversationKey): Promise<number> {
  await tx
    .select({ id: conversation.id })
    .from(conversation)
    .where(and(eq(conversation.organizationId, organizationId), eq(conversation.id, id)))
    .for('no key update');
  const [row] = await tx
    .select({ people: count() })
    .from(participant)
    .where(and(eq(participant.organizationId, organizationId), eq(participant.conversationId, id)));
  return row?.people ?? 0;
}

/** False if they were in it already. */
export async function addParticipant(
  tx: Tx,
  { organizationId, id }: ConversationKey,
  userId: string,
): Promise<boolean> {
  const added = await tx
    .insert(participant)
    .values({ conversationId: id, userId, organizationId })
    .onConflictDoNothing()
    .returning({ userId: participant.userId });
  return added.length > 0;
}

export async function removeParticipant(
  tx: Tx,
  { organizationId, id }: ConversationKey,
  userId: string,
): Promise<void> {
  await tx
    .delete(participant)
    .where(
      and(
        eq(participant.organizationId, organizationId),
        eq(participant.conversationId, id),
        eq(participant.userId, userId),
      ),
    );
}

/**
 * Runs `work` for a caller the link is valid for. Errors: 404 for everyone else, as for a nonexistent link: a link
 * never reveals more than the agent's own rules allow.
 */
export async function throughLink<T>(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  token: string,
  caller: Caller,
  work: (tx: Tx, open: OpenConversation & { link: StoredLink }) => Promise<T>,
): Promise<T> {
  const linkId = linkIdOf(vault, token);
  if (linkId === undefined) throw notFound();
  const organizationId = await organizationOf(db, 'chatLink', linkId);
  return db.in({ organizationId }, async (tx) => {
    const found = await findLink(tx, organizationId, linkId);
    if (!found) throw notFound();
    const isMember = await isMemberWhoSees(tx, found.agent, caller);
    if (found.link.audience === 'organization' && !isMember) throw notFound();
    if (!isMember) await requireChat(tx, found.agent, caller);
    return work(tx, found);
  });
}
