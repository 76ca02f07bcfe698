import { Readable } from 'node:stream';
import type { InsightPeriod } from '../../../contract/insight-periods.ts';
import type { insight as contract, Insight, OrganizationInsight } from '../../../contract/insight.ts';
import { inAgent, inOrganization } from '../../access/gate.ts';
import { planOf, requireWithin } from '../../access/quota.ts';
import { notFound } from '../../app-error.ts';
import { FileStream, type Handlers, type MemberCaller } from '../../call.ts';
import { csvOf } from '../../csv.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { listAgents } from '../chatbot/store.ts';
import { csvOfAgent, csvOfOrganization } from './csv.ts';
import type { Scope } from './scope.ts';
import * as store from './store.ts';

interface Chosen {
  period: InsightPeriod;
  timeZone: string;
}

/** The numbers of agents, for the members who see them. */
export function insightHandlers({ config, db }: Pick<Deps, 'config' | 'db'>): Handlers<typeof contract> {
  /** Errors: 402 for what is longer than the plan shows. */
  const requireShown = async (tx: Tx, organizationId: string, period: InsightPeriod): Promise<void> => {
    const known = await planOf(tx, config, organizationId);
    if (known) requireWithin(config, known.planType, 'insightDays', store.daysOf(period));
  };

  const ofAgent = (caller: MemberCaller, agentId: string, chosen: Chosen) =>
    inAgent(db, caller, agentId, 'agent.read', async (tx, { organizationId, handle }) => {
      await requireShown(tx, organizationId, chosen.period);
      const scope = { organizationId, agentIds: [agentId] };
      return { handle, insight: (await readNumbers(tx, scope, chosen)).insight };
    });

  const ofOrganization = (caller: MemberCaller, organizationId: string, chosen: Chosen) =>
    inOrganization(db, caller, organizationId, 'agent.read', async (tx, standing) => {
      await requireShown(tx, organizationId, chosen.period);
      const seen = await listAgents(tx, organizationId, standing.agents);
      return readOrganization(tx, organizationId, seen, chosen);
    });

  return {
    get: async ({ agentId, ...chosen }, caller) => ({
      insight: (await ofAgent(caller, agentId, chosen)).insight,
    }),

    getUser: async ({ agentId, userId, period, timeZone }, caller) =>
      inAgent(db, caller, agentId, 'agent.read', async (tx, { organizationId }) => {
        await requireShown(tx, organizationId, period);
        const scope = { organizationId, agentIds: [agentId] };
        await store.catchUp(tx, organizationId, [agentId]);
        if (!(await store.isEndUser(tx, scope, userId))) throw notFound();
        const range = await store.readRange(tx, period, timeZone);
        const { together } = await store.readSums(tx, { ...scope, userId }, range);
        return { insight: { ...range, ...together } };
      }),

    getOrganization: async ({ organizationId, ...chosen }, caller) => ({
      insight: await ofOrganization(caller, organizationId, chosen),
    }),

    export: async ({ agentId, ...chosen }, caller) => {
      const { handle, insight } = await ofAgent(caller, agentId, chosen);
      return csvFile(`${handle}-${chosen.period}.csv`, csvOfAgent(insight));
    },

    exportOrganization: async ({ organizationId, ...chosen }, caller) =>
      csvFile(
        `insights-${chosen.period}.csv`,
        csvOfOrganization(await ofOrganization(caller, organizationId, chosen)),
      ),
  };
}

function csvFile(name: string, rows: string[][]): FileStream {
  return new FileStream(name, 'text/csv; charset=utf-8', Readable.from([csvOf(rows)]));
}

/** With the sums of each agent, which come along. */
async function readNumbers(tx: Tx, scope: Scope, { period, timeZone }: Chosen) {
  await store.catchUp(tx, scope.organizationId, scope.agentIds);
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

async function readOrganization(
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
    agents: agents.map(({ id, name }) => ({ id, name, ...(byAgent.get(id) ?? nothing) })),
    members: await store.readMembers(tx, scope, range),
  };
}
