import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import {
  agent,
  channelSaying,
  channelThread,
  conversation,
  message,
  plugin,
  user,
} from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { JobData } from '../../jobs/jobs.ts';

export interface Saying {
  organizationId: string;
  messageId: string;
  partsSent: number;
  text: string;
  /** The name of the member who wrote it. */
  author: string;
  /** The agent's language. */
  language: string | null;
  /** The channel's identifier for the place, and the plugin that reaches it; null if the plugin was removed. */
  place: string | null;
  plugin: typeof plugin.$inferSelect | null;
}

/** A conversation's oldest unfinished one. */
export async function findNextSaying(
  tx: Tx,
  { organizationId, conversationId }: JobData['channel.say'],
): Promise<Saying | undefined> {
  const [found] = await tx
    .select({
      organizationId: channelSaying.organizationId,
      messageId: channelSaying.messageId,
      partsSent: channelSaying.partsSent,
      text: message.text,
      author: sql<string>`coalesce(${user.name}, '')`,
      language: agent.language,
      place: channelThread.place,
      plugin,
    })
    .from(channelSaying)
    .innerJoin(
      message,
      and(eq(message.id, channelSaying.messageId), eq(message.organizationId, organizationId)),
    )
    .innerJoin(
      conversation,
      and(eq(conversation.id, channelSaying.conversationId), eq(conversation.organizationId, organizationId)),
    )
    .innerJoin(agent, and(eq(agent.id, conversation.agentId), eq(agent.organizationId, organizationId)))
    .leftJoin(
      channelThread,
      and(
        eq(channelThread.conversationId, channelSaying.conversationId),
        eq(channelThread.organizationId, organizationId),
      ),
    )
    .leftJoin(plugin, and(eq(plugin.id, channelThread.pluginId), eq(plugin.organizationId, organizationId)))
    .leftJoin(user, eq(user.id, message.authorId))
    .where(
      and(
        eq(channelSaying.organizationId, organizationId),
        eq(channelSaying.conversationId, conversationId),
        isNull(channelSaying.sentAt),
        isNull(channelSaying.error),
      ),
    )
    .orderBy(
      asc(message.sequence),
      sql`${channelThread.createdAt} desc nulls last`,
      sql`${channelThread.id} desc nulls last`,
    )
    .limit(1);
  return found;
}

const isIt = ({ organizationId, messageId }: Pick<Saying, 'organizationId' | 'messageId'>) =>
  and(eq(channelSaying.organizationId, organizationId), eq(channelSaying.messageId, messageId));

export async function noteParts(tx: Tx, saying: Saying, partsSent: number): Promise<void> {
  await tx.update(channelSaying).set({ partsSent }).where(isIt(saying));
}

/** `error`: why it wasn't delivered, shown to members next to it. */
export async function endSaying(tx: Tx, saying: Saying, error: string | null): Promise<void> {
  const { organizationId, messageId } = saying;
  if (error !== null)
    await tx
      .update(message)
      .set({ error })
      .where(and(eq(message.organizationId, organizationId), eq(message.id, messageId)));
  await tx
    .update(channelSaying)
    .set(error === null ? { sentAt: sql`now()` } : { error })
    .where(isIt(saying));
}
