import type { privacy as contract } from '../../../contract/privacy.ts';
import { inAgent } from '../../access/gate.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import * as store from './retention-store.ts';

type Retaining = 'getRetention' | 'setRetention';

export function retentionHandlers({ db }: Pick<Deps, 'db'>): Pick<Handlers<typeof contract>, Retaining> {
  return {
    getRetention: async ({ id, days }, caller) =>
      inAgent(db, caller, id, 'agent.read', async (tx, agent) => ({
        days: agent.retentionDays,
        preview: days === undefined ? null : await store.previewRetention(tx, agent, days),
      })),

    setRetention: async ({ id, days }, caller, context) =>
      inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
        await store.setRetention(tx, agent, days);
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'privacy.setRetention',
          target: agent,
          before: { days: agent.retentionDays },
          after: { days },
        });
        return { days };
      }),
  };
}
