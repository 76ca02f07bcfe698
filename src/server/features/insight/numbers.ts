import type { InsightPeriod } from '../../../contract/insight-periods.ts';
import type { Insight, OrganizationInsight } from '../../../contract/insight.ts';
import type { Tx } from '../../db/scope.ts';
import type { Scope } from './scope.ts';
import * as store from './store.ts';

export interface Chosen {
  period: InsightPeriod;
  timeZone: string;
}

/** From what has been counted so far, including each agent's sums. */
export async function readNumbers(tx: Tx, scope: Scope, { period, timeZone }: Chosen) {
  const range = await store.readRange(tx, period, timeZone);
  const { together, byAgent } = await store.readSums(tx, scope, range);
  const insight: Insight = {
    ...range,
    ...together,
    ...(await store.readShares(tx, scope, range)),
    series: await store.readSeries(tx, scope, range),
    hours: await store.readHours(tx, scope, range),
    revenue: await store.readRevenue(tx, scope, range),
  };
  return { insight, byAgent, range };
}

/** For the agents its reader can see, most asked first. */
export async function readOrganization(
  tx: Tx,
  organizationId: string,
  agents: { id: string; name: string }[],
  chosen: Chosen,
): Promise<OrganizationInsight> {
  const scope = { organizationId, agentIds: agents.map(({ id }) => id) };
  const { insight, byAgent, range } = await readNumbers(tx, scope, chosen);
  const nothing = { now: store.noSums, before: store.noSums };
  return {
    ...insight,
    agents: agents
      .map(({ id, name }) => ({ id, name, ...(byAgent.get(id) ?? nothing) }))
      .toSorted((a, b) => b.now.messages - a.now.messages),
    members: await store.readMembers(tx, scope, range),
  };
}
