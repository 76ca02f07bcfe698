import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { channelSaying, channelThread, lead, plugin, user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { ConversationKey, StoredConversation } from '../chat/store.ts';

export interface Unread {
  id: string;
  text: string;
  /** The member's name. */
  author: string;
}

/** Members' messages since the end user last read or wrote that aren't already being emailed. Oldest first. */
export async function listUnread(
  tx: Tx,
  { organizationId, id, seenSequence }: StoredConversation,
): Promise<Unread[]> {
  const { rows } = await tx.execute<Unread & Record<string, unknown>>(sql`
    select m.id, m.text, coalesce(u.name, '') as author
      from message m left join "user" u on u.id = m.author_id
     where m.organization_id = ${organizationId} and m.conversation_id = ${id} and m.role = 'operator'
       and m.sequence > greatest(${seenSequence}::int, (
         select coalesce(max(own.sequence), 0) from message own
          where own.organization_id = ${organizationId} and own.conversation_id = ${id} and own.role = 'user'))
       and not exists (select from channel_saying s where s.organization_id = ${organizationId} and s.message_id = m.id)
     order by m.sequence`);
  return rows;
}

/** Where the end user can be reached: a verified address, or else one they left in this conversation. */
export async function findAddress(
  tx: Tx,
  { organizationId, id, userId }: StoredConversation,
  isAddress: (value: string) => boolean,
): Promise<string | undefined> {
  const [own] = await tx
    .select({ email: user.email })
    .from(user)
    .where(and(eq(user.id, userId), eq(user.emailVerified, true), isNotNull(user.email)));
  if (own?.email) return own.email;
  const [left] = await tx
    .select({ values: lead.values })
    .from(lead)
    .where(and(eq(lead.organizationId, organizationId), eq(lead.conversationId, id)))
    .orderBy(desc(lead.id))
    .limit(1);
  return left?.values.map(({ value }) => value).find(isAddress);
}

/** The agent's mailbox, which can receive replies. */
export async function findMailPlugin(
  tx: Tx,
  { organizationId, agentId }: Pick<StoredConversation, 'organizationId' | 'agentId'>,
): Promise<typeof plugin.$inferSelect | undefined> {
  const [found] = await tx
    .select()
    .from(plugin)
    .where(
      and(
        eq(plugin.organizationId, organizationId),
        eq(plugin.agentId, agentId),
        eq(plugin.type, 'email'),
        eq(plugin.status, 'active'),
        isNotNull(plugin.credentials),
      ),
    )
    .orderBy(plugin.id)
    .limit(1);
  return found;
}

/**
 * Whether a mail thread between this mailbox and this address already carries on the conversation: messages go by the
 * latest thread.
 */
export async function hasRelay(
  tx: Tx,
  key: ConversationKey,
  to: Pick<typeof channelThread.$inferSelect, 'pluginId' | 'person'>,
): Promise<boolean> {
  const { pluginId, person } = channelThread;
  const [last] = await tx
    .select({ pluginId, person })
    .from(channelThread)
    .where(
      and(eq(channelThread.organizationId, key.organizationId), eq(channelThread.conversationId, key.id)),
    )
    .orderBy(desc(channelThread.createdAt), desc(channelThread.id))
    .limit(1);
  return last?.pluginId === to.pluginId && last.person === to.person;
}

/** They count as being delivered from now on; `isSent`: as already delivered. */
export async function insertSayings(
  tx: Tx,
  { organizationId, id: conversationId }: ConversationKey,
  unread: readonly Unread[],
  isSent: boolean,
): Promise<void> {
  const sentAt = isSent ? sql`now()` : null;
  await tx.insert(channelSaying).values(
    unread.map(({ id: messageId }) => ({
      messageId,
      organizationId,
      conversationId,
      sentAt: sentAt as never,
    })),
  );
}
