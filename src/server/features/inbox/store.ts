import { and, asc, count, desc, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { permissions } from '../../../contract/access.ts';
import type { Author } from '../../../contract/chat.ts';
import type { InboxConversation, Note } from '../../../contract/inbox.ts';
import { LAST_WORDS_MAX_CHARACTERS, NOTES_SHOWN } from '../../../contract/limits.ts';
import { isSeenBy } from '../../access/standing.ts';
import {
  agent,
  channelSaying,
  conversation,
  conversationEstimate,
  conversationNote,
  handover,
  member,
  user,
} from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { isBegun, type ConversationKey } from '../chat/store.ts';
import { conditionsOf, holds, type ConversationFilters } from './filters.ts';

export { waitForAnother } from './handover-store.ts';

const endUser = alias(user, 'end_user');
const assignee = alias(user, 'assignee');
// Aliased, because `isSeenBy` queries the members too.
const helper = alias(member, 'helper');

const lastHandover = sql<{ by: string; reason: string; askedAt: string; takenAt: string | null } | null>`(
  select json_build_object('by', h.by, 'reason', h.reason, 'askedAt', h.asked_at, 'takenAt', h.taken_at)
    from ${handover} h where h.organization_id = ${conversation.organizationId} and h.conversation_id = ${conversation.id}
   order by h.asked_at desc, h.id desc limit 1)`;

const last = sql<InboxConversation['last']>`(
  select json_build_object('role', m.role, 'text', left(m.text, ${sql.raw(String(LAST_WORDS_MAX_CHARACTERS))}))
    from message m where m.organization_id = ${conversation.organizationId} and m.conversation_id = ${conversation.id}
     and m.active and m.text <> '' order by m.sequence desc limit 1)`;

const estimate = sql<InboxConversation['estimate']>`(
  select json_build_object('sentiment', e.sentiment, 'quality', e.quality, 'answered', e.answered, 'grounded', e.grounded,
      'estimatedAt', e.estimated_at)
    from ${conversationEstimate} e where e.organization_id = ${conversation.organizationId} and e.conversation_id = ${conversation.id}
     and e.sentiment is not null)`;

function found(tx: Tx) {
  return tx
    .select({
      conversation,
      agent: { id: agent.id, name: agent.name, profilePhoto: agent.profilePhoto },
      endUser: { id: endUser.id, name: endUser.name, profilePhoto: endUser.profilePhoto },
      assignee: { id: assignee.id, name: assignee.name, profilePhoto: assignee.profilePhoto },
      handover: lastHandover,
      last,
      estimate,
    })
    .from(conversation)
    .innerJoin(
      agent,
      and(eq(agent.id, conversation.agentId), eq(agent.organizationId, conversation.organizationId)),
    )
    .innerJoin(endUser, eq(endUser.id, conversation.userId))
    .leftJoin(assignee, eq(assignee.id, conversation.assigneeId));
}

type Found = Awaited<ReturnType<typeof found>>[number];

function present({
  conversation: stored,
  handover: asked,
  estimate: made,
  ...around
}: Found): InboxConversation {
  const { id, title, channel, handling, seenAt, updatedAt } = stored;
  return {
    ...around,
    id,
    title: title || around.agent.name,
    channel,
    handling,
    handover: asked && {
      by: asked.by as 'agent',
      reason: asked.reason,
      askedAt: new Date(asked.askedAt).toISOString(),
      takenAt: asked.takenAt === null ? null : new Date(asked.takenAt).toISOString(),
    },
    estimate: made && { ...made, estimatedAt: new Date(made.estimatedAt).toISOString() },
    seenAt: seenAt?.toISOString() ?? null,
    updatedAt: updatedAt.toISOString(),
  };
}

interface InboxQuery {
  view: 'open' | 'waiting' | 'mine' | 'closed';
  /** The member looking; undefined: a key, which has no conversations of its own. */
  userId: string | undefined;
  /** A condition on `agent`. */
  agents: SQL | undefined;
  search: string | undefined;
  count: number;
  before: Place | undefined;
}

/** A conversation's position in the list: by the time of the request for a person while it waits, or else by its last change. */
interface Place {
  waiting: boolean;
  at: Date;
  id: string;
}

const isWaiting = sql`(${conversation.handling} = 'waiting')`;
const askedAt = sql`(select h.asked_at from ${handover} h where h.organization_id = ${conversation.organizationId}
  and h.conversation_id = ${conversation.id} order by h.asked_at desc, h.id desc limit 1)`;
/** Higher means earlier in the list. */
const rank = sql`(case when ${isWaiting} then -extract(epoch from coalesce(${askedAt}, ${conversation.updatedAt}))
  else extract(epoch from ${conversation.updatedAt}) end)`;
const rankOf = ({ waiting, at }: Place): SQL =>
  sql`${waiting ? -1 : 1}::int * extract(epoch from ${at.toISOString()}::timestamptz)`;

/** Waiting ones first, longest wait at the top; then by most recent change. */
export async function listInbox(
  tx: Tx,
  organizationId: string,
  { view, userId, agents, search, count: limit, before }: InboxQuery,
): Promise<{ conversation: InboxConversation; place: Place }[]> {
  const rows = await found(tx)
    .where(
      and(
        eq(conversation.organizationId, organizationId),
        isNull(conversation.deletedAt),
        isNull(agent.deletedAt),
        inArray(conversation.handling, handlingsOf(view)),
        view === 'mine' ? eq(conversation.assigneeId, userId ?? '') : undefined,
        agents,
        search ? holds({ organizationId }, search) : undefined,
        before &&
          sql`(${isWaiting}, ${rank}, ${conversation.id}) < (${before.waiting}::boolean, ${rankOf(before)}, ${before.id})`,
      ),
    )
    .orderBy(desc(isWaiting), desc(rank), desc(conversation.id))
    .limit(limit);
  return rows.map((row) => ({ conversation: present(row), place: placeOf(row) }));
}

function placeOf({ conversation: { id, handling, updatedAt }, handover: asked }: Found): Place {
  const waiting = handling === 'waiting';
  return { id, waiting, at: waiting && asked ? new Date(asked.askedAt) : updatedAt };
}

function handlingsOf(view: InboxQuery['view']): ('waiting' | 'human' | 'closed')[] {
  if (view === 'closed') return ['closed'];
  if (view === 'waiting') return ['waiting'];
  return view === 'mine' ? ['human'] : ['waiting', 'human'];
}

interface OfAgentQuery extends ConversationFilters {
  count: number;
  orderBy: 'asc' | 'desc';
  after: { updatedAt: Date; id: string } | undefined;
}

/** All of an agent's non-temporary conversations, by most recent change. */
export async function listOfAgent(
  tx: Tx,
  { organizationId, agentId }: { organizationId: string; agentId: string },
  { count: limit, orderBy, after, ...filters }: OfAgentQuery,
): Promise<InboxConversation[]> {
  const place = sql`(${conversation.updatedAt}, ${conversation.id})`;
  const from = after && sql`(${after.updatedAt.toISOString()}::timestamptz, ${after.id})`;
  const inOrder = orderBy === 'asc' ? asc : desc;
  const rows = await found(tx)
    .where(
      and(
        eq(conversation.organizationId, organizationId),
        eq(conversation.agentId, agentId),
        isNull(conversation.deletedAt),
        isNull(conversation.agentVersion),
        eq(conversation.temporary, false),
        isBegun,
        ...conditionsOf({ organizationId, agentId }, filters),
        from && (orderBy === 'asc' ? sql`${place} > ${from}` : sql`${place} < ${from}`),
      ),
    )
    .orderBy(inOrder(conversation.updatedAt), inOrder(conversation.id))
    .limit(limit);
  return rows.map(present);
}

export async function countWaiting(tx: Tx, organizationId: string, agents: SQL | undefined): Promise<number> {
  const [row] = await tx
    .select({ waiting: count() })
    .from(conversation)
    .innerJoin(
      agent,
      and(
        eq(agent.id, conversation.agentId),
        eq(agent.organizationId, conversation.organizationId),
        isNull(agent.deletedAt),
      ),
    )
    .where(
      and(
        eq(conversation.organizationId, organizationId),
        isNull(conversation.deletedAt),
        eq(conversation.handling, 'waiting'),
        agents,
      ),
    );
  return row?.waiting ?? 0;
}

export async function findInInbox(
  tx: Tx,
  { organizationId, id }: ConversationKey,
): Promise<InboxConversation | undefined> {
  const [row] = await found(tx).where(
    and(eq(conversation.organizationId, organizationId), eq(conversation.id, id)),
  );
  return row && present(row);
}

/** `agents` is a condition on `agent`. */
export async function seesAgent(
  tx: Tx,
  { organizationId, id }: { organizationId: string; id: string },
  agents: SQL | undefined,
): Promise<boolean> {
  const seen = await tx
    .select({ id: agent.id })
    .from(agent)
    .where(and(eq(agent.organizationId, organizationId), eq(agent.id, id), agents));
  return seen.length > 0;
}

/** The newest notes, oldest first. */
export async function listNotes(tx: Tx, { organizationId, id }: ConversationKey): Promise<Note[]> {
  const rows = await tx
    .select({
      note: conversationNote,
      author: { id: user.id, name: user.name, profilePhoto: user.profilePhoto },
    })
    .from(conversationNote)
    .leftJoin(user, eq(user.id, conversationNote.authorId))
    .where(and(eq(conversationNote.organizationId, organizationId), eq(conversationNote.conversationId, id)))
    .orderBy(desc(conversationNote.id))
    .limit(NOTES_SHOWN);
  return rows.toReversed().map(({ note, author }) => ({
    id: note.id,
    author,
    text: note.text,
    createdAt: note.createdAt.toISOString(),
  }));
}

export async function insertNote(
  tx: Tx,
  { organizationId, id: conversationId }: ConversationKey,
  { authorId, text }: { authorId: string; text: string },
): Promise<Note | undefined> {
  await tx
    .insert(conversationNote)
    .values({ id: newId('note'), organizationId, conversationId, authorId, text });
  return (await listNotes(tx, { organizationId, id: conversationId })).at(-1);
}

/** A member's message is to be delivered to a channel. */
export async function insertSaying(
  tx: Tx,
  { organizationId, id: conversationId }: ConversationKey,
  messageId: string,
): Promise<void> {
  await tx.insert(channelSaying).values({ messageId, organizationId, conversationId });
}

/**
 * Members' most recent messages in the agent's conversations are emailed from now on to end users who don't read them.
 * `until`: when the jobs that would have done so began to end without it; otherwise now.
 */
export async function relayWritten(
  tx: Tx,
  jobs: Jobs,
  {
    organizationId,
    agentId,
    afterSeconds,
    until,
  }: { organizationId: string; agentId: string; afterSeconds: number; until?: Date },
): Promise<void> {
  const end = until ? sql`${until.toISOString()}::timestamptz` : sql`now()`;
  const start = sql`${end} - 2 * make_interval(secs => ${afterSeconds}::float8)`;
  const { rows } = await tx.execute<{ id: string }>(sql`
    select c.id from conversation c where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and c.channel is null
       and c.updated_at > ${start}
       and exists (select from message m where m.organization_id = c.organization_id and m.conversation_id = c.id
         and m.role = 'operator' and m.created_at > ${start})`);
  for (const { id: conversationId } of rows)
    await jobs.enqueue(tx, 'inbox.relay', { organizationId, conversationId }, afterSeconds);
}

export interface Helper {
  userId: string;
  name: string;
  profilePhoto: string;
  role: string;
  /** Null without a verified one. */
  email: string | null;
}

interface AgentKey {
  organizationId: string;
  agentId: string;
}

/** The members who may answer this agent's end users. */
export const listHelpers = (tx: Tx, key: AgentKey): Promise<Helper[]> => listWho(tx, 'agent.write', key);

/** The members who may read what this agent's end users say. */
export const listReaders = (tx: Tx, key: AgentKey): Promise<Helper[]> => listWho(tx, 'agent.read', key);

async function listWho(
  tx: Tx,
  permission: 'agent.read' | 'agent.write',
  { organizationId, agentId }: AgentKey,
): Promise<Helper[]> {
  return tx
    .select({
      userId: helper.userId,
      name: user.name,
      profilePhoto: user.profilePhoto,
      role: helper.role,
      email: sql<string | null>`case when ${user.emailVerified} then ${user.email} end`,
    })
    .from(helper)
    .innerJoin(user, eq(user.id, helper.userId))
    .innerJoin(agent, and(eq(agent.organizationId, helper.organizationId), eq(agent.id, agentId)))
    .where(
      and(
        eq(helper.organizationId, organizationId),
        inArray(helper.role, [...permissions[permission]]),
        isSeenBy(sql`${helper.userId}`),
      ),
    )
    .orderBy(asc(helper.id));
}

export async function findAuthor(tx: Tx, userId: string): Promise<Author | undefined> {
  const [found] = await tx
    .select({ id: user.id, name: user.name, profilePhoto: user.profilePhoto })
    .from(user)
    .where(eq(user.id, userId));
  return found;
}
