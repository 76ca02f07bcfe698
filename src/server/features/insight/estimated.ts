import { sql } from 'drizzle-orm';
import type { EstimatedSums } from '../../../contract/insight.ts';

/** Models' estimates, summed on reading: there is at most one per conversation. */

/** One per conversation, in the hour it went quiet. */
export const estimatedRows = sql`(
  select e.organization_id, e.agent_id, c.user_id, e.hour, e.sentiment, e.quality, e.answered, e.grounded
    from conversation_estimate e join conversation c on c.id = e.conversation_id and c.organization_id = e.organization_id
   where e.sentiment is not null and c.deleted_at is null)`;

/** For rows `x` of these. */
export const estimatedColumns = sql`count(*)::float8 as conversations,
  count(*) filter (where x.sentiment = 'positive')::float8 as positive,
  count(*) filter (where x.sentiment = 'neutral')::float8 as neutral,
  count(*) filter (where x.sentiment = 'negative')::float8 as negative,
  count(*) filter (where x.answered)::float8 as answered, count(*) filter (where x.grounded)::float8 as grounded,
  avg(x.quality)::float8 as quality`;

export const noEstimates: EstimatedSums = {
  conversations: 0,
  positive: 0,
  neutral: 0,
  negative: 0,
  answered: 0,
  grounded: 0,
  quality: null,
};

/** Without the row's other fields. */
export function estimatedOf(row: EstimatedSums | undefined): EstimatedSums {
  if (!row) return noEstimates;
  const { conversations, positive, neutral, negative, answered, grounded, quality } = row;
  return { conversations, positive, neutral, negative, answered, grounded, quality };
}
