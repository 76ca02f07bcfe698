import type { billing as contract, Usage } from '../../../contract/billing.ts';
import { REFERRAL_CREDITS } from '../../../contract/limits.ts';
import { inOrganization } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import { personOf, type Handlers } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { askProvider } from '../../payment/ask-provider.ts';
import { recordAudit } from '../audit/store.ts';
import { findOrganization } from '../organization/store.ts';
import * as referrals from './referral-store.ts';
import { createPlanChoice } from './choose-plan.ts';
import { previewOf } from './plan-change.ts';
import { openPlanPortal } from './portal.ts';
import { readSubscription } from './present.ts';
import { countAnew, readBonus, readUsage } from './store.ts';
import * as store from './subscription-store.ts';
import { holdsUntil } from './provider-state.ts';

export function billingHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db } = deps;
  const choosePlan = createPlanChoice(deps);
  const usageOf = async (tx: Tx, organizationId: string): Promise<Usage> => {
    const month = new Date().toISOString().slice(0, 7);
    const { planType, used, reserved, counts } = await readUsage(tx, organizationId, month);
    const bonus = await readBonus(tx, config, organizationId);
    const known = await store.findSubscription(tx, organizationId);
    const plan = config.billing.mode === 'off' ? null : config.billing.plans[planType];
    const credits = { used, reserved, limit: plan?.creditsAMonth ?? null, ...bonus };
    const until = holdsUntil(known?.pastDueSince)?.toISOString() ?? null;
    return { planType, month, credits, counts, plan, holdsUntil: until };
  };

  return {
    getUsage: async ({ organizationId }, caller) =>
      inOrganization(db, caller, organizationId, 'organization.read', async (tx) => ({
        usage: await usageOf(tx, organizationId),
      })),

    countUsage: async ({ organizationId }, caller) =>
      inOrganization(db, caller, organizationId, 'organization.own', async (tx) => {
        await countAnew(tx, organizationId);
        return { usage: await usageOf(tx, organizationId) };
      }),

    choosePlan: async (choice, caller, context) => ({
      url: await choosePlan({ ...choice, caller, context }),
    }),

    portal: async ({ organizationId }, caller, { origin }) =>
      inOrganization(db, caller, organizationId, 'organization.own', async (tx) => ({
        url: await askProvider(() => openPlanPortal(tx, deps, organizationId, origin)),
      })),

    getSubscription: async ({ organizationId }, caller) => ({
      subscription: await readSubscription(deps, (work) =>
        inOrganization(db, caller, organizationId, 'organization.own', (tx) => work(tx, organizationId)),
      ),
    }),

    previewChange: async ({ organizationId, planType }, caller) =>
      inOrganization(db, caller, organizationId, 'organization.own', async (tx) => {
        const usage = await usageOf(tx, organizationId);
        const known = await store.findSubscription(tx, organizationId);
        return { change: previewOf(config, usage, known, planType) };
      }),

    getReferral: async (_input, caller, { origin }) => {
      const { userId } = personOf(caller);
      return db.in({ userId }, async (tx) => {
        const code = await referrals.ensureCode(tx, userId);
        const counts = await referrals.countReferrals(tx, userId);
        const link = `${origin}/auth?signup=true&ref=${code}`;
        return { referral: { ...counts, link, credits: REFERRAL_CREDITS } };
      });
    },

    setStop: async ({ organizationId, creditStop, stopMessage }, caller, context) =>
      inOrganization(db, caller, organizationId, 'organization.own', async (tx) => {
        const before = await findOrganization(tx, organizationId, true);
        if (!before) throw notFound();
        await store.setStop(tx, config, organizationId, { creditStop, stopMessage });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'billing.setStop',
          target: before,
          before: { creditStop: before.creditStop, stopMessage: before.stopMessage },
          after: { creditStop, stopMessage },
        });
        return { creditStop, stopMessage };
      }),
  };
}
