import { sql, type SQL } from 'drizzle-orm';
import type { EstimatedSums, InsightSums } from '../../../contract/insight.ts';
import type { Tx } from '../../db/scope.ts';
import { usdOf } from '../../llm/price.ts';
import { counters } from './counting.ts';
import { estimatedColumns, estimatedOf, estimatedRows, noEstimates } from './estimated.ts';
import { LATENCY_BUCKET_BOUNDS_MS, percentileOf } from './latency.ts';
import { inRange, isNow, ofScope, type Range, type Scope } from './scope.ts';

/** Every statement that reads the sums of a period and of the one before it. */

interface BothSums {
  now: InsightSums;
  before: InsightSums;
}

type Counted = Record<Exclude<(typeof counters)[number], 'cost'>, number> & { cost: string };

interface LatencyRow {
  kind: 'firstToken' | 'total';
  bucket: string;
  count: number;
}

/** Money is never a floating-point number. */
const typeOf = (name: (typeof counters)[number]) => (name === 'cost' ? 'text' : 'float8');
const sumColumns = sql.raw(counters.map((name) => `sum(x.${name})::${typeOf(name)} as ${name}`).join(', '));

/** For all agents together, and for each one that has any. */
export interface AllSums {
  together: BothSums;
  byAgent: Map<string, BothSums>;
}

export async function readSums(tx: Tx, scope: Scope, range: Range): Promise<AllSums> {
  const read = readerOf(tx, scope, range);
  const table = sql.raw(scope.userId === undefined ? 'insight_hour' : 'insight_conversation');
  const counted = await read<Counted>(sumColumns, sql`${table}`);
  const waits = await read<{ median: number }>(
    sql`percentile_cont(0.5) within group (order by seconds)::float8 as median`,
    sql`(select t.*, seconds from ${table} t cross join unnest(t.wait_seconds) seconds)`,
  );
  const latencies = await read<LatencyRow>(
    sql`kind, bucket, sum(n)::float8 as count`,
    latencyRows(scope),
    sql`kind, bucket`,
  );
  const estimates = await read<EstimatedSums>(estimatedColumns, estimatedRows);
  const people = await read<{ people: number }>(
    // Ids are compared bytewise; for a single agent each occurs once.
    isOfOneAgent(scope)
      ? sql`count(*)::float8 as people`
      : sql`count(distinct x.user_id collate "C")::float8 as people`,
    peopleRows(scope, range),
  );
  const sumsOf = (side: string): InsightSums => {
    const [row] = counted.get(side) ?? [];
    const estimated = estimatedOf(estimates.get(side)?.[0]);
    if (!row) return { ...noSums, estimated };
    const found = latencies.get(side) ?? [];
    const [wait] = waits.get(side) ?? [];
    const all = row.answered + row.unanswered + row.failed;
    return {
      ...plainSums(row),
      people: people.get(side)?.[0]?.people ?? 0,
      answerRate: all === 0 ? null : row.answered / all,
      waitSeconds: wait ? Math.round(wait.median) : null,
      firstToken: latencyOf(found, 'firstToken'),
      total: latencyOf(found, 'total'),
      estimated,
    };
  };
  const bothOf = (agentId: string): BothSums => ({
    now: sumsOf(sideKey(agentId, true)),
    before: sumsOf(sideKey(agentId, false)),
  });
  const together = bothOf('');
  const [only] = scope.agentIds;
  if (scope.agentIds.length === 1 && only !== undefined)
    return { together, byAgent: new Map([[only, together]]) };
  const agents = scope.agentIds.filter(
    (id) => counted.has(sideKey(id, true)) || counted.has(sideKey(id, false)),
  );
  return { together, byAgent: new Map(agents.map((id) => [id, bothOf(id)])) };
}

const isOfOneAgent = ({ agentIds, userId }: Scope): boolean => agentIds.length === 1 && userId === undefined;

const sideKey = (agentId: string, now: boolean) => `${agentId} ${now ? 'now' : 'before'}`;

/** Reads both periods, with the total of all agents under the empty key; for several agents also each one, in the same pass. */
function readerOf(tx: Tx, scope: Scope, range: Range) {
  return async <Row>(columns: SQL, from: SQL, by?: SQL): Promise<Map<string, Row[]>> => {
    const more = by ? sql`, ${by}` : sql``;
    const sets =
      scope.agentIds.length > 1
        ? sql`grouping sets ((agent_id, is_now ${more}), (is_now ${more}))`
        : sql`grouping sets ((is_now ${more}))`;
    const { rows } = await tx.execute(sql`
      select ${scope.agentIds.length > 1 ? sql`coalesce(agent_id, '')` : sql`''`} as agent, is_now as "isNow", ${columns}
        from (select x.*, ${isNow(range)} as is_now from ${from} x where ${ofScope(scope)} and ${inRange(range)}) x group by ${sets}`);
    return Map.groupBy(rows as (Row & { agent: string; isNow: boolean })[], (row) =>
      sideKey(row.agent, row.isNow),
    );
  };
}

/** Each person once per period and agent. For an ongoing period, whoever was active in it was last active in it. */
function peopleRows({ organizationId, userId }: Scope, range: Range): SQL {
  if (userId !== undefined) return sql`(select * from insight_conversation where last_at is not null)`;
  const { from, until, beforeFrom, beforeUntil, isOver } = range;
  const seen = (since: string, hours: SQL) => sql`
    select distinct organization_id, agent_id, user_id, ${since}::timestamptz as hour from insight_conversation
     where organization_id = ${organizationId} and last_at is not null and hour >= ${since}::timestamptz and ${hours}`;
  const now = isOver
    ? seen(from, sql`hour < ${until}::timestamptz`)
    : sql`select organization_id, agent_id, user_id, ${from}::timestamptz as hour from insight_person
     where organization_id = ${organizationId} and last_seen_at >= ${from}::timestamptz`;
  return sql`(${now} union all ${seen(beforeFrom, sql`hour <= ${beforeUntil}::timestamptz`)})`;
}

function latencyRows({ userId }: Scope): SQL {
  if (userId === undefined)
    return sql`(select organization_id, agent_id, hour, kind, value as bucket, count as n from insight_share
      where kind in ('firstToken', 'total'))`;
  const bounds = sql`${sql.param(LATENCY_BUCKET_BOUNDS_MS)}::int[]`;
  const each = (kind: string, column: string) =>
    sql`select f.organization_id, f.agent_id, f.user_id, f.hour, ${sql.raw(`'${kind}'`)} as kind,
      width_bucket(ms, ${bounds})::text as bucket, 1 as n from insight_conversation f cross join unnest(f.${sql.raw(column)}) ms`;
  return sql`(${each('firstToken', 'first_token_ms')} union all ${each('total', 'total_ms')})`;
}

function latencyOf(rows: LatencyRow[], kind: LatencyRow['kind']): InsightSums['total'] {
  const buckets = new Map(
    rows.filter((row) => row.kind === kind).map(({ bucket, count }) => [Number(bucket), count]),
  );
  return { p50: percentileOf(buckets, 0.5), p95: percentileOf(buckets, 0.95) };
}

function plainSums(row: Counted) {
  const {
    rated_up: ratedUp,
    rated_down: ratedDown,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...same
  } = row;
  const {
    conversations,
    messages,
    answered,
    unanswered,
    failed,
    handovers,
    credits,
    cost,
    priced,
    unpriced,
  } = same;
  return {
    conversations,
    messages,
    answered,
    unanswered,
    failed,
    handovers,
    credits,
    ratedUp,
    ratedDown,
    inputTokens,
    outputTokens,
    costUsd: usdOf(BigInt(cost)),
    priced,
    unpriced,
  };
}

const noLatency = { p50: null, p95: null };
/** The sums when nothing was counted. */
export const noSums: InsightSums = {
  conversations: 0,
  messages: 0,
  people: 0,
  answered: 0,
  unanswered: 0,
  failed: 0,
  answerRate: null,
  ratedUp: 0,
  ratedDown: 0,
  handovers: 0,
  waitSeconds: null,
  inputTokens: 0,
  outputTokens: 0,
  credits: 0,
  costUsd: '0',
  priced: 0,
  unpriced: 0,
  firstToken: noLatency,
  total: noLatency,
  estimated: noEstimates,
};
