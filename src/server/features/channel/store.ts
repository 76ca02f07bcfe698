import { and, asc, count, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { CHANNEL_MESSAGE_KEPT_DAYS } from '../../../contract/limits.ts';
import {
  agent,
  channelMessage,
  channelSaying,
  channelThread,
  conversation,
  plugin,
  visitor,
} from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { Jobs } from '../../jobs/jobs.ts';

export type StoredPlugin = typeof plugin.$inferSelect;
export type StoredThread = typeof channelThread.$inferSelect;
export type StoredChannelMessage = typeof channelMessage.$inferSelect;
export type StoredAgent = Pick<
  typeof agent.$inferSelect,
  'name' | 'voiceEnabled' | 'welcomeMessage' | 'conversationStarters' | 'disclosure' | 'language'
>;
export type ThreadKey = Pick<StoredThread, 'organizationId' | 'id'>;

const ofMessage = ({ organizationId, id }: Pick<StoredChannelMessage, 'organizationId' | 'id'>) =>
  and(eq(channelMessage.organizationId, organizationId), eq(channelMessage.id, id));

const asAgent = {
  name: agent.name,
  voiceEnabled: agent.voiceEnabled,
  welcomeMessage: agent.welcomeMessage,
  conversationStarters: agent.conversationStarters,
  disclosure: agent.disclosure,
  language: agent.language,
};

/** Only if the agent isn't deleted. */
export async function findPlugin(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<{ plugin: StoredPlugin; agent: StoredAgent } | undefined> {
  const [found] = await tx
    .select({ plugin, agent: asAgent })
    .from(plugin)
    .innerJoin(agent, and(eq(agent.id, plugin.agentId), eq(agent.organizationId, plugin.organizationId)))
    .where(and(eq(plugin.organizationId, organizationId), eq(plugin.id, id), isNull(agent.deletedAt)));
  return found;
}

export async function findThread(
  tx: Tx,
  { organizationId, id: pluginId }: Pick<StoredPlugin, 'organizationId' | 'id'>,
  { place, person }: Pick<StoredThread, 'place' | 'person'>,
): Promise<StoredThread | undefined> {
  const [found] = await tx
    .select()
    .from(channelThread)
    .where(
      and(
        eq(channelThread.organizationId, organizationId),
        eq(channelThread.pluginId, pluginId),
        eq(channelThread.place, place),
        eq(channelThread.person, person),
      ),
    );
  return found;
}

/** Returns the same thread when two messages start it at once. */
export async function ensureThread(
  tx: Tx,
  values: Pick<StoredThread, 'organizationId' | 'pluginId' | 'place' | 'person' | 'visitorId'> &
    Partial<Pick<StoredThread, 'conversationId' | 'relays'>>,
): Promise<StoredThread> {
  const [made] = await tx
    .insert(channelThread)
    .values({ id: newId('channelThread'), ...values })
    .onConflictDoUpdate({
      target: [channelThread.pluginId, channelThread.place, channelThread.person],
      set: { visitorId: values.visitorId },
    })
    .returning();
  return made as StoredThread;
}

/** With the user that represents its person here. */
export async function openThread(
  tx: Tx,
  { organizationId, id }: ThreadKey,
): Promise<(StoredThread & { userId: string }) | undefined> {
  const [found] = await tx
    .select({
      thread: channelThread,
      userId: sql<string>`case when ${channelThread.relays} then coalesce(${conversation.userId}, ${visitor.userId}) else ${visitor.userId} end`,
    })
    .from(channelThread)
    .leftJoin(
      conversation,
      and(eq(conversation.id, channelThread.conversationId), eq(conversation.organizationId, organizationId)),
    )
    .innerJoin(
      visitor,
      and(eq(visitor.id, channelThread.visitorId), eq(visitor.organizationId, organizationId)),
    )
    .where(and(eq(channelThread.organizationId, organizationId), eq(channelThread.id, id)));
  return found && { ...found.thread, userId: found.userId };
}

export async function setConversation(tx: Tx, { organizationId, id }: ThreadKey, conversationId: string) {
  await tx
    .update(channelThread)
    .set({ conversationId })
    .where(and(eq(channelThread.organizationId, organizationId), eq(channelThread.id, id)));
}

/** False if it is already stored. */
export async function insertMessage(
  tx: Tx,
  values: Pick<
    StoredChannelMessage,
    'organizationId' | 'pluginId' | 'threadId' | 'externalId' | 'personName' | 'text' | 'files' | 'replyTo'
  >,
): Promise<boolean> {
  const made = await tx
    .insert(channelMessage)
    .values({ id: newId('channelMessage'), ...values })
    .onConflictDoNothing()
    .returning({ id: channelMessage.id });
  return made.length > 0;
}

const isOpen = inArray(channelMessage.state, ['received', 'answering']);

export async function countWaiting(tx: Tx, { organizationId, id }: ThreadKey): Promise<number> {
  const [row] = await tx
    .select({ waiting: count() })
    .from(channelMessage)
    .where(and(eq(channelMessage.organizationId, organizationId), eq(channelMessage.threadId, id), isOpen));
  return row?.waiting ?? 0;
}

/** Answers what waits in the threads of an agent, or of one of its plugins, from now on: its jobs have ended meanwhile. */
export async function answerWaiting(
  tx: Tx,
  jobs: Jobs,
  { organizationId, agentId, pluginId }: { organizationId: string; agentId: string; pluginId?: string },
): Promise<void> {
  const rows = await tx
    .selectDistinct({ id: channelMessage.threadId })
    .from(channelMessage)
    .innerJoin(plugin, and(eq(plugin.id, channelMessage.pluginId), eq(plugin.organizationId, organizationId)))
    .where(
      and(
        eq(channelMessage.organizationId, organizationId),
        eq(plugin.agentId, agentId),
        pluginId === undefined ? undefined : eq(plugin.id, pluginId),
        isOpen,
      ),
    );
  for (const { id: threadId } of rows) await jobs.enqueue(tx, 'channel.answer', { organizationId, threadId });
}

/** Delivers members' undelivered messages in the agent's conversations from now on. */
export async function sayWaiting(
  tx: Tx,
  jobs: Jobs,
  { organizationId, agentId }: { organizationId: string; agentId: string },
): Promise<void> {
  const rows = await tx
    .selectDistinct({ id: channelSaying.conversationId })
    .from(channelSaying)
    .innerJoin(
      conversation,
      and(eq(conversation.id, channelSaying.conversationId), eq(conversation.organizationId, organizationId)),
    )
    .where(
      and(
        eq(channelSaying.organizationId, organizationId),
        eq(conversation.agentId, agentId),
        isNull(channelSaying.sentAt),
        isNull(channelSaying.error),
      ),
    );
  for (const { id: conversationId } of rows)
    await jobs.enqueue(tx, 'channel.say', { organizationId, conversationId });
}

/** The oldest unfinished one. */
export async function findNext(
  tx: Tx,
  { organizationId, id }: ThreadKey,
): Promise<StoredChannelMessage | undefined> {
  const [found] = await tx
    .select()
    .from(channelMessage)
    .where(and(eq(channelMessage.organizationId, organizationId), eq(channelMessage.threadId, id), isOpen))
    .orderBy(asc(channelMessage.id))
    .limit(1);
  return found;
}

/** The latest answer in this thread before the open one. */
export async function findLastAnswer(tx: Tx, { organizationId, id }: ThreadKey): Promise<string | undefined> {
  const [found] = await tx
    .select({ answerId: channelMessage.answerId })
    .from(channelMessage)
    .where(
      and(
        eq(channelMessage.organizationId, organizationId),
        eq(channelMessage.threadId, id),
        eq(channelMessage.state, 'answered'),
      ),
    )
    .orderBy(desc(channelMessage.id))
    .limit(1);
  return found?.answerId ?? undefined;
}

export async function updateMessage(
  tx: Tx,
  key: Pick<StoredChannelMessage, 'organizationId' | 'id'>,
  changes: Partial<
    Pick<StoredChannelMessage, 'state' | 'answerId' | 'saidCharacters' | 'files' | 'partsSent' | 'error'>
  >,
): Promise<void> {
  const isDone = changes.state === 'answered' || changes.state === 'failed';
  await tx
    .update(channelMessage)
    .set({ ...changes, ...(isDone ? { answeredAt: sql`now()`, replyTo: null, files: [] } : {}) })
    .where(ofMessage(key));
}

/** Newest first, with the conversation of each. */
export async function listMessages(
  tx: Tx,
  { organizationId, id: pluginId }: Pick<StoredPlugin, 'organizationId' | 'id'>,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<(StoredChannelMessage & { conversationId: string | null })[]> {
  const rows = await tx
    .select({ message: channelMessage, conversationId: channelThread.conversationId })
    .from(channelMessage)
    .innerJoin(
      channelThread,
      and(eq(channelThread.id, channelMessage.threadId), eq(channelThread.organizationId, organizationId)),
    )
    .where(
      and(
        eq(channelMessage.organizationId, organizationId),
        eq(channelMessage.pluginId, pluginId),
        before === undefined ? undefined : lt(channelMessage.id, before),
      ),
    )
    .orderBy(desc(channelMessage.id))
    .limit(limit);
  return rows.map(({ message, conversationId }) => ({ ...message, conversationId }));
}

/** The outcome of using it. */
export async function noteHealth(
  tx: Tx,
  { organizationId, id }: Pick<StoredPlugin, 'organizationId' | 'id'>,
  error: string | null,
): Promise<void> {
  await tx
    .update(plugin)
    .set({ health: error === null ? 'healthy' : 'failing', healthError: error, checkedAt: sql`now()` })
    .where(and(eq(plugin.organizationId, organizationId), eq(plugin.id, id)));
}

/** Tokens renewed by its service. Doesn't count as a change of the plugin. Undefined if they have been replaced meanwhile. */
export async function replaceCredentials(
  tx: Tx,
  { organizationId, id, credentials: before }: StoredPlugin,
  credentials: string,
): Promise<StoredPlugin | undefined> {
  const [after] = await tx
    .update(plugin)
    .set({ credentials })
    .where(
      and(
        eq(plugin.organizationId, organizationId),
        eq(plugin.id, id),
        before === null ? isNull(plugin.credentials) : eq(plugin.credentials, before),
      ),
    )
    .returning();
  return after;
}

/**
 * Also sets the next poll: as soon as one of its feeds may be polled. Does nothing if the plugin has changed since it
 * was polled.
 */
export async function noteAsked(
  tx: Tx,
  { organizationId, id, updatedAt }: StoredPlugin,
  asked: NonNullable<StoredPlugin['asked']>,
): Promise<void> {
  const [askAt] = Object.values(asked)
    .map(({ again }) => new Date(again))
    .toSorted((a, b) => a.getTime() - b.getTime());
  await tx
    .update(plugin)
    .set({ asked, ...(askAt && { askAt }) })
    .where(
      and(eq(plugin.organizationId, organizationId), eq(plugin.id, id), eq(plugin.updatedAt, updatedAt)),
    );
}

/**
 * Plugins of all organizations whose services are due to be polled; each is returned once, and again after
 * `takenSeconds` if nothing came of it. Runs as the owner, because it looks at every organization.
 */
export async function takeDue(
  { owner }: Pick<Database, 'owner'>,
  types: StoredPlugin['type'][],
  { most, takenSeconds }: { most: number; takenSeconds: number },
): Promise<{ organizationId: string; pluginId: string }[]> {
  const { rows } = await owner.query<{ organizationId: string; pluginId: string }>(
    `update plugin set ask_at = now() + make_interval(secs => $3)
      where id in (select p.id from plugin p join agent a on a.id = p.agent_id
                    where p.type = any($1) and p.status = 'active' and p.credentials is not null
                      and p.ask_at <= now() and a.deleted_at is null
                    order by p.ask_at limit $2 for update of p skip locked)
      returning organization_id as "organizationId", id as "pluginId"`,
    [types, most, takenSeconds],
  );
  return rows;
}

/** Runs as the owner, because it looks at every organization. */
export async function forgetMessages({ owner }: Pick<Database, 'owner'>): Promise<void> {
  await owner.query(
    `delete from channel_message where received_at < now() - make_interval(days => $1) and state in ('answered', 'failed')`,
    [CHANNEL_MESSAGE_KEPT_DAYS],
  );
}

/** Whether this is the message whose answer tells the person whom they are talking to: exactly one, even when retried. */
export async function isDisclosedWith(
  tx: Tx,
  { organizationId, threadId, id }: Pick<StoredChannelMessage, 'organizationId' | 'threadId' | 'id'>,
): Promise<boolean> {
  const [thread] = await tx
    .update(channelThread)
    .set({ disclosedWith: sql`coalesce(${channelThread.disclosedWith}, ${id})` })
    .where(and(eq(channelThread.organizationId, organizationId), eq(channelThread.id, threadId)))
    .returning({ disclosedWith: channelThread.disclosedWith });
  return thread?.disclosedWith === id;
}
