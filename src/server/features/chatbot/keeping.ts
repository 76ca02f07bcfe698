import type { agentKeeping as contract } from '../../../contract/agent-file.ts';
import { inOrganization } from '../../access/gate.ts';
import { requireKept } from '../../access/quota.ts';
import { chatbotOf } from '../../access/present-agent.ts';
import { notFound } from '../../app-error.ts';
import { personOf, type Handlers } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { answerWaiting } from '../channel/store.ts';
import { relayWritten } from '../inbox/store.ts';
import { hasProducts } from '../product/store.ts';
import * as keeping from './keeping-store.ts';
import { missingModels } from './missing-models.ts';
import * as store from './store.ts';
import { transferAgent } from './transfer.ts';

export function agentKeepingHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db, models } = deps;
  return {
    listDeleted: async ({ organizationId }, caller) => {
      const found = await inOrganization(db, caller, organizationId, 'agent.write', (tx, { agents }) =>
        keeping.listDeleted(tx, organizationId, agents),
      );
      return { chatbots: found };
    },

    restore: async ({ id, organizationId }, caller, context) => {
      const restored = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.write',
        async (tx, { agents }) => {
          const trashed = await store.lockAgent(tx, organizationId, id, agents, true);
          if (!trashed?.deletedAt || !(await keeping.restoreAgent(tx, organizationId, id, agents)))
            throw notFound();
          const sells = await hasProducts(tx, organizationId, id);
          await requireKept(tx, config, organizationId, sells ? ['agents', 'products'] : ['agents']);
          const agent = await store.findDraft(tx, organizationId, id, agents);
          if (!agent) throw notFound();
          await resumeJobs(tx, deps, { organizationId, agentId: id, until: trashed.deletedAt });
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'agentKeeping.restore',
            target: agent,
            after: { name: agent.name },
          });
          return agent;
        },
      );
      return { chatbot: chatbotOf(restored) };
    },

    transfer: async ({ id, organizationId, toOrganizationId, name }, caller, context) => {
      personOf(caller);
      const long = { in: db.lengthy };
      const moved = await inOrganization(long, caller, organizationId, 'organization.manage', async (tx) => {
        const agent = await store.lockAgent(tx, organizationId, id, undefined);
        if (!agent) throw notFound();
        await transferAgent(tx, deps, agent, { toOrganizationId, name, caller, context });
        return store.findDraft(tx, toOrganizationId, id, undefined);
      });
      if (!moved) throw notFound();
      const known = await models.list(toOrganizationId);
      return { chatbot: chatbotOf(moved), missingModels: missingModels(moved.modelSettings, known) };
    },
  };
}

/** Jobs for an agent in the trash have ended without doing anything: what waits for them is done from now on. */
async function resumeJobs(
  tx: Tx,
  { config, jobs }: Pick<Deps, 'config' | 'jobs'>,
  agent: { organizationId: string; agentId: string; until: Date },
): Promise<void> {
  await answerWaiting(tx, jobs, agent);
  await relayWritten(tx, jobs, { ...agent, afterSeconds: config.inboxRelayAfterSeconds });
}
