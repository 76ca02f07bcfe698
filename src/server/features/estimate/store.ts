import { and, eq, sql, type SQL } from 'drizzle-orm';
import type pg from 'pg';
import type { EstimateSetting } from '../../../contract/estimate.ts';
import {
  ESTIMATE_MESSAGES_READ,
  ESTIMATE_PASSAGES_READ,
  ESTIMATE_QUIET_MINUTES,
  ESTIMATES_PER_DAY,
} from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import { agent, conversationEstimate, estimateSetting } from '../../db/schema/index.ts';
import type { Tx } from '../../db/scope.ts';
import type { Judgement, Said } from './form.ts';

export interface AgentKey {
  organizationId: string;
  agentId: string;
}

const ofKey = ({ organizationId, agentId }: AgentKey): SQL =>
  sql`${estimateSetting.organizationId} = ${organizationId} and ${estimateSetting.agentId} = ${agentId}`;

export async function readSetting(tx: Tx, key: AgentKey): Promise<EstimateSetting> {
  const [row] = await tx.select().from(estimateSetting).where(ofKey(key));
  if (!row) return { enabled: false, quietMinutes: ESTIMATE_QUIET_MINUTES, perDay: ESTIMATES_PER_DAY };
  return { enabled: row.enabledAt !== null, quietMinutes: row.quietMinutes, perDay: row.perDay };
}

/** What was asked today stays counted. */
export async function writeSetting(
  tx: Tx,
  key: AgentKey,
  { enabled, quietMinutes, perDay }: EstimateSetting,
): Promise<void> {
  const since = enabled ? sql`coalesce(${estimateSetting.enabledAt}, now())` : sql`null`;
  await tx
    .insert(estimateSetting)
    .values({ ...key, enabledAt: enabled ? sql`now()` : null, quietMinutes, perDay })
    .onConflictDoUpdate({
      target: estimateSetting.agentId,
      set: { enabledAt: since, quietMinutes, perDay },
      setWhere: ofKey(key),
    });
}

/** How long a conversation may wait for its turn; after that it gets none. */
const WAITS = `interval '2 days'`;

/** Agents of all organizations that may have something to estimate. */
export async function listEnabled(owner: pg.Pool): Promise<AgentKey[]> {
  const { rows } = await owner.query<AgentKey>(`
    select s.organization_id as "organizationId", s.agent_id as "agentId" from estimate_setting s
      join agent a on a.id = s.agent_id and a.organization_id = s.organization_id
     where a.deleted_at is null and s.enabled_at is not null
       and (s.day is distinct from (now() at time zone 'UTC')::date or s.asked < s.per_day)
       and exists (select from conversation c where c.agent_id = s.agent_id and c.organization_id = s.organization_id
                     and c.updated_at > greatest(s.enabled_at, now() - ${WAITS})
                     and c.updated_at < now() - make_interval(mins => s.quiet_minutes))
     order by s.agent_id`);
  return rows;
}

export async function findAgent(tx: Tx, { organizationId, agentId }: AgentKey): Promise<Agent | undefined> {
  const [found] = await tx
    .select()
    .from(agent)
    .where(and(eq(agent.organizationId, organizationId), eq(agent.id, agentId)));
  return found;
}

/** How many may be asked for now; also 0 while another process is at it. Exclusive until the transaction ends. */
export async function lockRoom(tx: Tx, { organizationId, agentId }: AgentKey): Promise<number> {
  const { rows } = await tx.execute<{ room: number }>(sql`
    select per_day - case when day = (now() at time zone 'UTC')::date then asked else 0 end as room from estimate_setting
     where organization_id = ${organizationId} and agent_id = ${agentId} and enabled_at is not null for update skip locked`);
  return Math.max(0, rows[0]?.room ?? 0);
}

interface Claimed {
  conversationId: string;
  sequence: number;
}

/**
 * Quiet conversations with an answer, in which the end user has said more since the last assessment. The attempt is
 * recorded beforehand: whatever the outcome, it isn't made twice.
 */
export async function claim(tx: Tx, { organizationId, agentId }: AgentKey, most: number): Promise<Claimed[]> {
  const { rows } = await tx.execute<Claimed & Record<string, unknown>>(sql`
    with due as (
      select c.id, c.last_sequence, c.updated_at from conversation c
        join estimate_setting s on s.agent_id = c.agent_id and s.organization_id = c.organization_id
        left join conversation_estimate e on e.conversation_id = c.id and e.organization_id = c.organization_id
       where c.organization_id = ${organizationId} and c.agent_id = ${agentId} and not c.temporary and c.agent_version is null
         and c.deleted_at is null and c.kind <> 'game' and c.answering is null
         and c.updated_at > greatest(s.enabled_at, now() - ${sql.raw(WAITS)})
         and c.updated_at < now() - make_interval(mins => s.quiet_minutes)
         and exists (select from message m where m.organization_id = c.organization_id and m.conversation_id = c.id
                       and m.role = 'user' and m.active and m.text <> '' and m.sequence > coalesce(e.sequence, 0))
         and exists (select from message m where m.organization_id = c.organization_id and m.conversation_id = c.id
                       and m.role = 'assistant' and m.active and m.text <> '')
       order by c.updated_at limit ${most})
    insert into conversation_estimate (conversation_id, organization_id, agent_id, sequence, hour)
    select id, ${organizationId}, ${agentId}, last_sequence, date_trunc('hour', updated_at, 'UTC') from due
        on conflict (conversation_id) do update set sequence = excluded.sequence, hour = excluded.hour,
           sentiment = null, quality = null, answered = null, grounded = null, estimated_at = null
    returning conversation_id as "conversationId", sequence`);
  return rows;
}

export async function countAsked(tx: Tx, { organizationId, agentId }: AgentKey, more: number): Promise<void> {
  const today = sql`(now() at time zone 'UTC')::date`;
  await tx.execute(sql`
    update estimate_setting set asked = case when day = ${today} then asked else 0 end + ${more}, day = ${today}
     where organization_id = ${organizationId} and agent_id = ${agentId}`);
}

interface EstimateKey {
  organizationId: string;
  conversationId: string;
  sequence: number;
}

/** On the branch shown, oldest first. Empty if the estimate already exists, or is no longer to be made. */
export async function listSaid(
  tx: Tx,
  { organizationId, conversationId, sequence }: EstimateKey,
): Promise<Said[]> {
  const { rows } = await tx.execute<Said & Record<string, unknown>>(sql`
    select * from (
      select m.role, m.text, m.sequence, coalesce((
          select json_agg(c.cited ->> 'text') from (
            select * from jsonb_array_elements(m.citations) each(cited) limit ${ESTIMATE_PASSAGES_READ}) c), '[]') as found
        from conversation_estimate e join message m on m.conversation_id = e.conversation_id and m.organization_id = e.organization_id
       where e.organization_id = ${organizationId} and e.conversation_id = ${conversationId} and e.sequence = ${sequence}
         and e.sentiment is null and m.sequence <= e.sequence and m.active and m.text <> ''
       order by m.sequence desc limit ${ESTIMATE_MESSAGES_READ}) newest
     order by sequence`);
  return rows;
}

/** Does nothing if the conversation has been claimed again, or is gone. */
export async function writeEstimate(
  tx: Tx,
  { organizationId, conversationId, sequence }: EstimateKey,
  judgement: Judgement,
): Promise<void> {
  await tx
    .update(conversationEstimate)
    .set({ ...judgement, estimatedAt: sql`now()` })
    .where(
      and(
        eq(conversationEstimate.organizationId, organizationId),
        eq(conversationEstimate.conversationId, conversationId),
        eq(conversationEstimate.sequence, sequence),
      ),
    );
}
