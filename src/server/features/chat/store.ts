import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Author, ConversationKind, MessageToolCall } from '../../../contract/chat.ts';
import type { Agent } from '../../access/gate.ts';
import { isSeenBy } from '../../access/standing.ts';
import { agent, agentVersion, conversation, message, user } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { naturally } from '../../db/words.ts';
import { newId } from '../../id.ts';
import { asDraft, isTried } from '../version/store.ts';
import { callsByMessage } from './tool-call-store.ts';

export { takeMessage } from './limits.ts';
export { asToldToOthers, conversationOf, messageOf, messagePage, readBy } from './present.ts';

export type StoredConversation = typeof conversation.$inferSelect;
export type StoredMessage = typeof message.$inferSelect;

/** What every statement on a conversation specifies, on top of row-level security. */
export type ConversationKey = Pick<StoredConversation, 'id' | 'organizationId'>;

export interface OpenConversation {
  conversation: StoredConversation;
  agent: Agent;
}

/** Whose conversation `c` is: the person who opened it or, in a room, who joined it. */
export function isOf(userId: string | SQL): SQL {
  return sql`(c.user_id = ${userId} or (c.kind = 'game' and exists
    (select from participant p where p.conversation_id = c.id and p.user_id = ${userId})))`;
}

const ofUser = (userId: string): SQL =>
  sql`exists (select from conversation c where c.id = ${conversation.id} and ${isOf(userId)})`;

/**
 * The end user's own conversation with its agent; undefined for anyone else's. With `lock`, others who lock it wait
 * until this transaction ends, so that messages read afterwards stay current.
 */
export async function findConversation(
  tx: Tx,
  id: string,
  userId: string,
  { lock = false, deleted = false }: { lock?: boolean; deleted?: boolean } = {},
): Promise<OpenConversation | undefined> {
  const query = tx
    .select({ conversation, agent, tried: { number: agentVersion.number, settings: agentVersion.settings } })
    .from(conversation)
    .innerJoin(
      agent,
      and(eq(agent.id, conversation.agentId), eq(agent.organizationId, conversation.organizationId)),
    )
    .leftJoin(agentVersion, isTried(sql`${conversation.agentVersion}`))
    .where(
      and(eq(conversation.id, id), ofUser(userId), deleted ? undefined : isNull(conversation.deletedAt)),
    );
  const [found] = await (lock ? query.for('no key update', { of: conversation }) : query);
  return found && { conversation: found.conversation, agent: asDraft(found.agent, found.tried) };
}

/** Anyone's conversation, with its agent; for members, whose right to it must be checked. */
export async function findConversationOfAgent(
  tx: Tx,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<OpenConversation | undefined> {
  const query = tx
    .select({ conversation, agent })
    .from(conversation)
    .innerJoin(
      agent,
      and(eq(agent.id, conversation.agentId), eq(agent.organizationId, conversation.organizationId)),
    )
    .where(and(eq(conversation.id, id), isNull(conversation.deletedAt)));
  const [found] = await (lock ? query.for('no key update', { of: conversation }) : query);
  return found;
}

interface ConversationCursor {
  pinned: boolean;
  updatedAt: Date;
  id: string;
}

/** Hides conversations of a deleted agent. Uses a function, because agents aren't visible across organizations. */
const hasAgent = sql`organization_of_agent(${conversation.agentId}) is not null`;

/**
 * A chat whose first message was refused, for example for lack of credits, has nothing to come back to; a room waits
 * for its people.
 */
export const isBegun = sql`(${conversation.lastSequence} > 0 or ${conversation.title} <> '' or ${conversation.kind} = 'game')`;

/** Pinned first, then newest first, across organizations; agents are read separately, each within its organization. */
export async function listOwnConversations(
  tx: Tx,
  userId: string,
  {
    count,
    before,
    kind,
    begun,
  }: {
    count: number;
    before?: ConversationCursor | undefined;
    kind?: ConversationKind | undefined;
    begun?: 'true' | undefined;
  },
): Promise<StoredConversation[]> {
  const isPinned = sql`(${conversation.pinnedAt} is not null)`;
  const place = sql`(${isPinned}, ${conversation.updatedAt}, ${conversation.id})`;
  const older =
    before &&
    sql`${place} < (${before.pinned}::boolean, ${before.updatedAt.toISOString()}::timestamptz, ${before.id})`;
  return tx
    .select()
    .from(conversation)
    .where(
      and(
        ofUser(userId),
        isNull(conversation.deletedAt),
        hasAgent,
        eq(conversation.temporary, false),
        begun && isBegun,
        kind && eq(conversation.kind, kind),
        older,
      ),
    )
    .orderBy(desc(isPinned), desc(conversation.updatedAt), desc(conversation.id))
    .limit(count);
}

/** Those that belong to the person, in no particular order, across organizations. */
export async function listByIds(tx: Tx, userId: string, ids: string[]): Promise<StoredConversation[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(conversation)
    .where(and(inArray(conversation.id, ids), ofUser(userId)));
}

export async function findAgents(tx: Tx, organizationId: string, ids: string[]): Promise<Agent[]> {
  return tx
    .select()
    .from(agent)
    .where(and(eq(agent.organizationId, organizationId), inArray(agent.id, ids)));
}

/** Agents of several organizations, each read within its own. */
export async function agentsOf(
  db: Database,
  conversations: Pick<StoredConversation, 'organizationId' | 'agentId'>[],
): Promise<Map<string, Agent>> {
  const byOrganization = Map.groupBy(conversations, ({ organizationId }) => organizationId);
  const read = [...byOrganization].map(([organizationId, own]) =>
    db.in({ organizationId }, (tx) =>
      findAgents(tx, organizationId, [...new Set(own.map(({ agentId }) => agentId))]),
    ),
  );
  return new Map((await Promise.all(read)).flat().map((agent) => [agent.id, agent]));
}

export async function insertConversation(
  tx: Tx,
  values: Pick<
    StoredConversation,
    | 'organizationId'
    | 'agentId'
    | 'userId'
    | 'title'
    | 'kind'
    | 'temporary'
    | 'agentVersion'
    | 'page'
    | 'dryRun'
  > &
    Partial<Pick<StoredConversation, 'channel' | 'country'>>,
): Promise<StoredConversation> {
  const [made] = await tx
    .insert(conversation)
    .values({ id: newId('conversation'), ...values })
    .returning();
  return made as StoredConversation;
}

export const inConversation = ({ organizationId, id }: ConversationKey): SQL | undefined =>
  and(eq(message.organizationId, organizationId), eq(message.conversationId, id));

/** A message with its context as its reader sees it. */
export interface ReadMessage extends StoredMessage {
  siblings: string[];
  rating: 'up' | 'down' | null;
  author: Author | null;
  toolCalls: MessageToolCall[];
}

/** Table names are written out: without a join Drizzle omits `message`, and inside the parentheses its columns would refer to `s`. */
const following = (parent: SQL) => sql`(select json_agg(s.id order by s.sequence) from message s
  where s.conversation_id = "message"."conversation_id" and s.organization_id = "message"."organization_id"
    and s.role = "message"."role" and s.parent_id ${parent})`;
/** Ids of this message and its siblings, which follow the same message, oldest first. No index serves `is not distinct from`. */
const siblings = sql<string[]>`case when "message"."parent_id" is null
  then ${following(sql`is null`)} else ${following(sql`= "message"."parent_id"`)} end`;

const ratingOf = (userId: string) => sql<'up' | 'down' | null>`(select f.rating from message_feedback f
  where f.message_id = ${message.id} and f.user_id = ${userId})`;

const authorColumns = { id: user.id, name: user.name, profilePhoto: user.profilePhoto };

/** That message and its ancestors. If it is gone: what is shown now, up to its number. */
const leadingTo = (key: ConversationKey, { id, sequence }: { id: string | null; sequence: number }) => sql`
  ${message.id} in (
    with recursive path as (
      (select m.id, m.parent_id from message m
        where m.organization_id = ${key.organizationId} and m.conversation_id = ${key.id}
          and (m.id = ${id}::text or (m.active and m.sequence <= ${sequence}))
        order by (m.id = ${id}::text) desc nulls last, m.sequence desc limit 1)
      union all
      select m.id, m.parent_id from path join message m on m.id = path.parent_id
        and m.organization_id = ${key.organizationId} and m.conversation_id = ${key.id})
    select id from path)`;

/** `shown`: on the branch shown. `all`: on every branch. Otherwise, on the branch that led to this message, ending with it. */
export async function listMessages(
  tx: Tx,
  key: ConversationKey,
  reader: string,
  {
    count,
    orderBy = 'asc',
    after,
    branch = 'shown',
  }: {
    count: number;
    orderBy?: 'asc' | 'desc';
    after?: number | undefined;
    branch?: 'shown' | 'all' | { id: string | null; sequence: number };
  },
): Promise<ReadMessage[]> {
  const beyond =
    after === undefined
      ? undefined
      : orderBy === 'asc'
        ? gt(message.sequence, after)
        : lt(message.sequence, after);
  const onBranch =
    branch === 'all' ? undefined : branch === 'shown' ? eq(message.active, true) : leadingTo(key, branch);
  const rows = await tx
    .select({
      message,
      siblings,
      rating: ratingOf(reader),
      author: authorColumns,
    })
    .from(message)
    .leftJoin(user, eq(user.id, message.authorId))
    .where(and(inConversation(key), onBranch, beyond))
    .orderBy(orderBy === 'asc' ? asc(message.sequence) : desc(message.sequence))
    .limit(count);
  const read = rows.map(({ message: stored, ...around }) => ({ ...stored, ...around }));
  const calls = await callsOf(tx, key.organizationId, read);
  return read.map((one) => ({ ...one, toolCalls: calls.get(one.id) ?? [] }));
}

/** Only answers of agents with tools have any. */
function callsOf(tx: Tx, organizationId: string, messages: StoredMessage[]) {
  const answers = messages.filter(({ role, hasToolCalls }) => role === 'assistant' && hasToolCalls);
  return callsByMessage(
    tx,
    organizationId,
    answers.map(({ id }) => id),
  );
}

/** One message with its calls and siblings, on any branch. */
export async function findMessage(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<(StoredMessage & Pick<ReadMessage, 'siblings' | 'toolCalls'>) | undefined> {
  const [found] = await tx
    .select({ ...getTableColumns(message), siblings })
    .from(message)
    .where(and(eq(message.organizationId, organizationId), eq(message.id, id)));
  if (!found) return undefined;
  const calls = await callsOf(tx, organizationId, [found]);
  return { ...found, toolCalls: calls.get(id) ?? [] };
}

/** The branches beside this message, as in `ReadMessage`. */
export async function siblingsOf(tx: Tx, { organizationId, id }: StoredMessage): Promise<string[]> {
  const [found] = await tx
    .select({ siblings })
    .from(message)
    .where(and(eq(message.organizationId, organizationId), eq(message.id, id)));
  return found?.siblings ?? [id];
}

export async function namesOf(tx: Tx, userIds: string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await tx.select({ id: user.id, name: user.name }).from(user).where(inArray(user.id, userIds));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function findAuthor(tx: Tx, userId: string): Promise<Author | null> {
  const [found] = await tx.select(authorColumns).from(user).where(eq(user.id, userId));
  return found ?? null;
}

/** Everyone in a room, and the person who opened it. */
export async function peopleOf(tx: Tx, key: ConversationKey): Promise<Author[]> {
  return tx
    .select(authorColumns)
    .from(user)
    .where(
      sql`${user.id} in (select user_id from participant where organization_id = ${key.organizationId} and conversation_id = ${key.id}
        union select user_id from conversation where organization_id = ${key.organizationId} and id = ${key.id})`,
    )
    .orderBy(naturally(user.name), asc(user.id));
}

/** Tells the answering process, whichever it is, to stop; it keeps what it has. */
export async function requestStop(tx: Tx, key: ConversationKey): Promise<boolean> {
  const stopped = await tx
    .update(message)
    .set({ state: 'stopped', updatedAt: sql`now()` })
    .where(and(inConversation(key), inArray(message.state, ['pending', 'streaming'])))
    .returning({ id: message.id });
  return stopped.length > 0;
}

/**
 * Stops a private agent's answers to people who may no longer see it, as `requestStop` does: whichever process is
 * generating the answer notices, and partial output is kept. Programs and channels may ask a private agent as well as a
 * public one; visitors of sites lose access to `hidden`, the agent that has just become private.
 */
export async function stopUnseenAnswers(tx: Tx, organizationId: string, hidden?: string): Promise<void> {
  const mayStay = sql`exists (select from visitor v where v.organization_id = ${organizationId}
    and v.user_id = ${conversation.userId} and v.agent_id = ${conversation.agentId}
    and (${agent.id} is distinct from ${hidden ?? null}::text or ${conversation.channel} is not null or v.subject = ''))`;
  const isUnseen = sql`exists (select 1 from ${conversation} join ${agent} on ${agent.id} = ${conversation.agentId}
    where ${conversation.id} = ${message.conversationId} and not ${agent.isPublic}
      and not ${isSeenBy(sql`${conversation.userId}`)} and not ${mayStay})`;
  await tx
    .update(message)
    .set({ state: 'stopped', updatedAt: sql`now()` })
    .where(
      and(
        eq(message.organizationId, organizationId),
        isNotNull(message.runner),
        inArray(message.state, ['pending', 'streaming']),
        isUnseen,
      ),
    );
}

interface NewSaid extends Pick<StoredMessage, 'text' | 'attachments' | 'authorId'> {
  /** `operator`: a member who answers instead of the agent. */
  role?: 'user' | 'operator';
  sendKey?: string | null;
}

/** Stores a message without an answer, at the end of the branch shown. The conversation must be locked. */
export async function insertSaid(
  tx: Tx,
  { organizationId, id }: ConversationKey,
  { text, attachments, authorId, role = 'user', sendKey = null }: NewSaid,
): Promise<ReadMessage> {
  await tx.execute(sql`
    with leaf as (select id from message where organization_id = ${organizationId} and conversation_id = ${id} and active
        order by sequence desc limit 1),
      taken as (update conversation set last_sequence = last_sequence + 1, updated_at = now(),
          operator_sequence = case when ${role === 'operator'} then last_sequence + 1 else operator_sequence end
        where organization_id = ${organizationId} and id = ${id} returning last_sequence)
    insert into message (id, organization_id, conversation_id, role, text, attachments, state, sequence, parent_id, author_id,
        send_key)
    select ${newId('message')}, ${organizationId}, ${id}, ${role}, ${text}, ${JSON.stringify(attachments)}::jsonb, 'complete',
        last_sequence, (select id from leaf), ${authorId}::text, ${sendKey}::text
      from taken`);
  const [said] = await listMessages(tx, { organizationId, id }, authorId ?? '', {
    count: 1,
    orderBy: 'desc',
  });
  return said as ReadMessage;
}
