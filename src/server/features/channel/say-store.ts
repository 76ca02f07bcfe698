import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import { agent, channelSaying, channelThread, message, plugin, user } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { JobData } from '../../jobs/jobs.ts';

export interface Saying {
  organizationId: string;
  messageId: string;
  partsSent: number;
  text: string;
  /** What the member who wrote it is called. */
  author: string;
  /** Of the agent. */
  language: string | null;
  /** As the channel calls it. */
  place: string;
  plugin: typeof plugin.$inferSelect;
}

/** The oldest that is not done with, of a conversation. */
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
      channelThread,
      and(
        eq(channelThread.conversationId, channelSaying.conversationId),
        eq(channelThread.organizationId, organizationId),
      ),
    )
    .innerJoin(plugin, and(eq(plugin.id, channelThread.pluginId), eq(plugin.organizationId, organizationId)))
    .innerJoin(agent, and(eq(agent.id, plugin.agentId), eq(agent.organizationId, organizationId)))
    .leftJoin(user, eq(user.id, message.authorId))
    .where(
      and(
        eq(channelSaying.organizationId, organizationId),
        eq(channelSaying.conversationId, conversationId),
        isNull(channelSaying.sentAt),
        isNull(channelSaying.error),
      ),
    )
    .orderBy(asc(message.sequence), desc(channelThread.createdAt))
    .limit(1);
  return found;
}

const isIt = ({ organizationId, messageId }: Pick<Saying, 'organizationId' | 'messageId'>) =>
  and(eq(channelSaying.organizationId, organizationId), eq(channelSaying.messageId, messageId));

export async function noteParts(tx: Tx, saying: Saying, partsSent: number): Promise<void> {
  await tx.update(channelSaying).set({ partsSent }).where(isIt(saying));
}

/** `error`: why it was not brought. */
export async function endSaying(tx: Tx, saying: Saying, error: string | null): Promise<void> {
  await tx
    .update(channelSaying)
    .set(error === null ? { sentAt: sql`now()` } : { error })
    .where(isIt(saying));
}
