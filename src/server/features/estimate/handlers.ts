import type { estimate as contract } from '../../../contract/estimate.ts';
import { inAgent } from '../../access/gate.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { canWrite } from './can-write.ts';
import * as store from './store.ts';

export function estimateHandlers({ db, models }: Pick<Deps, 'db' | 'models'>): Handlers<typeof contract> {
  return {
    getSetting: async ({ id }, caller) => {
      const { agent, setting } = await inAgent(db, caller, id, 'agent.read', async (tx, found) => ({
        agent: found,
        setting: await store.readSetting(tx, { organizationId: found.organizationId, agentId: id }),
      }));
      return { setting, hasModel: await canWrite(models, agent) };
    },

    setSetting: async ({ id, ...setting }, caller, context) => {
      const agent = await inAgent(db, caller, id, 'agent.write', async (tx, found) => {
        const key = { organizationId: found.organizationId, agentId: id };
        const before = await store.readSetting(tx, key);
        await store.writeSetting(tx, key, setting);
        await recordAudit(tx, caller, context, {
          organizationId: found.organizationId,
          action: 'estimate.setSetting',
          target: found,
          before,
          after: setting,
        });
        return found;
      });
      return { setting, hasModel: await canWrite(models, agent) };
    },
  };
}
