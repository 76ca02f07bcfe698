import { sql } from 'drizzle-orm';
import type { Week } from '../../../contract/chatbot.ts';
import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';

/** Seven days that ended so many weeks ago. Answers without credits found nothing to say. */
export async function readWeek(tx: Tx, agent: Agent, weeksAgo: number): Promise<Week> {
  const { rows } = await tx.execute<Week & Record<string, unknown>>(sql`
    with span as (select now() - make_interval(days => ${7 * (weeksAgo + 1)}) as since, now() - make_interval(days => ${7 * weeksAgo}) as until),
    said as (
      select c.id as conversation_id, c.user_id, m.id, m.role, m.state,
             coalesce((m.receipt ->> 'credits')::int, 0) as credits
        from span, conversation c
        join message m on m.organization_id = c.organization_id and m.conversation_id = c.id
       where c.organization_id = ${agent.organizationId} and c.agent_id = ${agent.id} and c.agent_version is null
         and c.deleted_at is null and c.updated_at >= span.since and m.created_at >= span.since and m.created_at < span.until)
    select count(distinct conversation_id)::int as conversations,
           count(distinct user_id)::int as people,
           count(*) filter (where role = 'user')::int as questions,
           count(*) filter (where role = 'assistant' and state = 'complete' and credits > 0)::int as answered,
           count(*) filter (where role = 'assistant' and state = 'complete' and credits = 0)::int as unanswered,
           count(*) filter (where role = 'assistant' and state in ('failed', 'incomplete'))::int as broken,
           (select count(*)::int from message_feedback f join said on said.id = f.message_id where f.rating = 'up') as "ratedUp",
           (select count(*)::int from message_feedback f join said on said.id = f.message_id where f.rating = 'down') as "ratedDown"
      from said`);
  return rows[0] as Week;
}
