import { Readable } from 'node:stream';
import type { InsightPeriod } from '../../../contract/insight-periods.ts';
import type { insight as contract } from '../../../contract/insight.ts';
import { inAgent, inOrganization } from '../../access/gate.ts';
import { planOf, requireWithin } from '../../access/quota.ts';
import { AppError, notFound } from '../../app-error.ts';
import { FileStream, personOf, type Handlers, type MemberCaller } from '../../call.ts';
import { csvOf } from '../../csv.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { listAgents } from '../chatbot/store.ts';
import { csvOfAgent, csvOfOrganization } from './csv.ts';
import { insightLinkHandlers } from './link-handlers.ts';
import { readNumbers, readOrganization, type Chosen } from './numbers.ts';
import * as reports from './report-store.ts';
import * as store from './store.ts';

export const insightAreas = (deps: Deps) => ({
  insight: insightHandlers(deps),
  insightLink: insightLinkHandlers(deps),
});

/** Agents' numbers, for members who can see them. */
function insightHandlers({ config, db }: Pick<Deps, 'config' | 'db'>): Handlers<typeof contract> {
  /** Errors: 402 for a longer period than the plan shows. */
  const requireShown = async (tx: Tx, organizationId: string, period: InsightPeriod): Promise<void> => {
    const known = await planOf(tx, config, organizationId);
    if (known) requireWithin(config, known.planType, 'insightDays', store.daysOf(period));
  };

  /** Counts what is new before the numbers are read, in a separate transaction: the read may run on a replica. */
  const caughtUp = async (caller: MemberCaller, agentId: string, period: InsightPeriod) =>
    inAgent(db, caller, agentId, 'agent.read', async (tx, { organizationId, handle }) => {
      await requireShown(tx, organizationId, period);
      await store.catchUp(tx, organizationId, [agentId]);
      return { handle, scope: { organizationId, agentIds: [agentId] } };
    });

  const numbersOfAgent = async (caller: MemberCaller, agentId: string, chosen: Chosen) => {
    const { handle, scope } = await caughtUp(caller, agentId, chosen.period);
    const { organizationId } = scope;
    const { insight } = await db.reading({ organizationId }, (tx) => readNumbers(tx, scope, chosen));
    return { handle, insight };
  };

  const ofOrganization = async (caller: MemberCaller, organizationId: string, chosen: Chosen) => {
    const seen = await inOrganization(db, caller, organizationId, 'agent.read', async (tx, standing) => {
      await requireShown(tx, organizationId, chosen.period);
      const agents = await listAgents(tx, organizationId, standing.agents);
      await store.catchUp(
        tx,
        organizationId,
        agents.map(({ id }) => id),
      );
      return agents;
    });
    return db.reading({ organizationId }, (tx) => readOrganization(tx, organizationId, seen, chosen));
  };

  return {
    get: async ({ agentId, ...chosen }, caller) => ({
      insight: (await numbersOfAgent(caller, agentId, chosen)).insight,
    }),

    getUser: async ({ agentId, userId, period, timeZone }, caller) => {
      const { scope } = await caughtUp(caller, agentId, period);
      return db.reading({ organizationId: scope.organizationId }, async (tx) => {
        if (!(await store.isEndUser(tx, scope, userId))) throw notFound();
        const range = await store.readRange(tx, period, timeZone);
        const ofUser = { ...scope, userId };
        const { together } = await store.readSums(tx, ofUser, range);
        const insight = {
          ...range,
          ...together,
          ...(await store.readShares(tx, ofUser, range)),
          hours: await store.readHours(tx, ofUser, range),
          revenue: await store.readRevenue(tx, ofUser, range),
        };
        return { insight };
      });
    },

    getOrganization: async ({ organizationId, ...chosen }, caller) => ({
      insight: await ofOrganization(caller, organizationId, chosen),
    }),

    export: async ({ agentId, ...chosen }, caller) => {
      const { handle, insight } = await numbersOfAgent(caller, agentId, chosen);
      return csvFile(`${handle}-${chosen.period}.csv`, csvOfAgent(insight));
    },

    exportOrganization: async ({ organizationId, ...chosen }, caller) =>
      csvFile(
        `insights-${chosen.period}.csv`,
        csvOfOrganization(await ofOrganization(caller, organizationId, chosen)),
      ),

    getReport: async ({ organizationId }, caller) =>
      inOrganization(db, caller, organizationId, 'agent.read', async (tx) => {
        const { userId } = personOf(caller);
        return { report: { every: await reports.findReport(tx, { organizationId, userId }) } };
      }),

    setReport: async ({ organizationId, every, timeZone }, caller) =>
      inOrganization(db, caller, organizationId, 'agent.read', async (tx) => {
        const { userId } = personOf(caller);
        const key = { organizationId, userId };
        if (every === null) await reports.removeReport(tx, key);
        else if ((await reports.addressOf(tx, userId)) === null) throw new AppError('insight/no-address');
        else await reports.setReport(tx, key, every, timeZone);
        return { report: { every } };
      }),
  };
}

function csvFile(name: string, rows: string[][]): FileStream {
  return new FileStream(name, 'text/csv; charset=utf-8', Readable.from([csvOf(rows)]));
}
