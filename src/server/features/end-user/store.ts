import { sql, type SQL } from 'drizzle-orm';
import type { EndUser, EndUserDetails } from '../../../contract/end-user.ts';
import type { Tx } from '../../db/scope.ts';

export interface AgentKey {
  organizationId: string;
  agentId: string;
}

interface Row extends Record<string, unknown> {
  id: string;
  name: string;
  profilePhoto: string;
  kind: EndUser['kind'];
  conversations: number;
  firstSeenAt: string;
  lastSeenAt: string;
}

/** Conversations of end users, as rows of `c`. */
const counted = ({ organizationId, agentId }: AgentKey): SQL =>
  sql`c.organization_id = ${organizationId} and c.agent_id = ${agentId} and not c.temporary and c.agent_version is null
    and c.deleted_at is null`;

const person = ({ organizationId }: AgentKey) => sql`u.id, u.name, u.profile_photo as "profilePhoto",
  case when exists (select from visitor v where v.organization_id = ${organizationId} and v.user_id = u.id) then 'visitor'
       when u.is_anonymous and u.registered_at is null then 'guest' else 'user' end as kind,
  seen.conversations, seen.first_seen as "firstSeenAt", seen.last_seen as "lastSeenAt"`;

/** `search`: what a name holds. Who was there last comes first. */
export async function listEndUsers(
  tx: Tx,
  agent: AgentKey,
  {
    count,
    before,
    search,
  }: { count: number; before: { updatedAt: Date; id: string } | undefined; search: string | undefined },
): Promise<EndUser[]> {
  const named = search ? sql`and position(lower(${search}) in lower(u.name)) > 0` : sql``;
  const older = before
    ? sql`and (seen.last_seen, u.id) < (${before.updatedAt.toISOString()}::timestamptz, ${before.id})`
    : sql``;
  const { rows } = await tx.execute<Row>(sql`
    with seen as (
      select c.user_id, count(*)::int as conversations, min(c.created_at) as first_seen, max(c.updated_at) as last_seen
        from conversation c where ${counted(agent)} group by c.user_id)
    select ${person(agent)} from seen join "user" u on u.id = seen.user_id
     where true ${named} ${older}
     order by seen.last_seen desc, u.id desc limit ${count}`);
  return rows.map(endUserOf);
}

/** Undefined for who has not talked with this agent. */
export async function findEndUser(
  tx: Tx,
  agent: AgentKey,
  userId: string,
): Promise<EndUserDetails | undefined> {
  const { rows } = await tx.execute<Row & Omit<EndUserDetails, keyof EndUser>>(sql`
    with own as (select c.id, c.created_at, c.updated_at from conversation c where ${counted(agent)} and c.user_id = ${userId}),
      seen as (
        select count(*)::int as conversations, min(created_at) as first_seen, max(updated_at) as last_seen from own having count(*) > 0),
      said as (
        select count(*) filter (where m.role = 'user')::int as messages,
               count(f.rating) filter (where f.rating = 'up')::int as up,
               count(f.rating) filter (where f.rating = 'down')::int as down
          from own join message m on m.conversation_id = own.id and m.organization_id = ${agent.organizationId}
          left join message_feedback f on f.message_id = m.id and f.organization_id = m.organization_id and f.user_id = ${userId})
    select ${person(agent)}, said.messages, said.up as "ratedUp", said.down as "ratedDown",
      (select count(*)::int from handover h join own on own.id = h.conversation_id
        where h.organization_id = ${agent.organizationId} and h.by <> 'member') as handovers
      from seen, said, "user" u where u.id = ${userId}`);
  const [found] = rows;
  if (!found) return undefined;
  const { messages, ratedUp, ratedDown, handovers } = found;
  return { ...endUserOf(found), messages, ratedUp, ratedDown, handovers };
}

function endUserOf({ id, name, profilePhoto, kind, conversations, firstSeenAt, lastSeenAt }: Row): EndUser {
  return {
    id,
    name,
    profilePhoto,
    kind,
    conversations,
    firstSeenAt: new Date(firstSeenAt).toISOString(),
    lastSeenAt: new Date(lastSeenAt).toISOString(),
  };
}
