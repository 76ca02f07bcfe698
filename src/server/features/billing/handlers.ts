import type { billing as contract } from '../../../contract/billing.ts';
import { inOrganization } from '../../access/gate.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { readUsage } from './store.ts';

export function billingHandlers({ config, db }: Deps): Handlers<typeof contract> {
  return {
    getUsage: async ({ organizationId }, caller) =>
      inOrganization(db, caller, organizationId, 'organization.read', async (tx) => {
        const month = new Date().toISOString().slice(0, 7);
        const { planType, used, reserved } = await readUsage(tx, organizationId, month);
        const plan = config.billing.mode === 'off' ? null : config.billing.plans[planType];
        const credits = { used, reserved, limit: plan?.creditsAMonth ?? null };
        return { usage: { planType, month, credits, plan } };
      }),
  };
}
