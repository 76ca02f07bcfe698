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

const person = ({ organizationId }: AgentKey) => sql`u.id, u.name, u.profile_photo as "profilePhoto",
  case when exists (select from visitor v where v.organization_id = ${organizationId} and v.user_id = u.id) then 'visitor'
       when u.is_anonymous and u.registered_at is null then 'guest' else 'user' end as kind,
  p.conversations, p.first_seen_at as "firstSeenAt", p.last_seen_at as "lastSeenAt"`;

/** Who has written to an agent, as of the last count. */
const counted = ({ organizationId, agentId }: AgentKey): SQL =>
  sql`insight_person p join "user" u on u.id = p.user_id where p.organization_id = ${organizationId} and p.agent_id = ${agentId}`;

/** `search`: part of a name. Most recently active first. */
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
    ? sql`and (p.last_seen_at, p.user_id) < (${before.updatedAt.toISOString()}::timestamptz, ${before.id})`
    : sql``;
  const { rows } = await tx.execute<Row>(sql`
    select ${person(agent)} from ${counted(agent)} ${named} ${older}
     order by p.last_seen_at desc, p.user_id desc limit ${count}`);
  return rows.map(endUserOf);
}

/** Undefined for someone who hasn't talked with this agent. */
export async function findEndUser(
  tx: Tx,
  agent: AgentKey,
  userId: string,
): Promise<EndUserDetails | undefined> {
  const { rows } = await tx.execute<Row & Omit<EndUserDetails, keyof EndUser>>(sql`
    select ${person(agent)}, p.messages, p.rated_up as "ratedUp", p.rated_down as "ratedDown", p.handovers
      from ${counted(agent)} and p.user_id = ${userId}`);
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
