import { USAGE_ALERTS_PERCENT } from '../../../contract/limits.ts';
import { monthOf } from '../../access/credits.ts';
import { noteUsed } from '../../access/usage-alerts.ts';
import type { Deps } from '../../deps.ts';
import { enqueueMail } from '../mail/store.ts';
import { findOrganization } from '../organization/store.ts';
import { alertMail } from './alert-mail.ts';
import * as store from './alert-store.ts';
import { billingPath } from './choose-plan.ts';
import { ownersMail } from './subscription-store.ts';

/** How often to look for organizations that have used much of their plan. */
export const ALERT_SWEEP_MS = 60_000;

/**
 * Notifies owners, and webhooks through the recorded alerts, when 50, 75, 90 and 100 percent of something are used:
 * each once a month, whichever process notices, and several at a time in one mail. Counted limits are recorded where
 * they are used up; credits are checked here, so that asking an agent doesn't pay for it.
 */
export async function tellUsage(deps: Pick<Deps, 'config' | 'db' | 'jobs'>, origin: string): Promise<void> {
  if (deps.config.billing.mode === 'off') return;
  await noteCredits(deps);
  for (const organizationId of await store.listUntold(deps.db))
    await tellOwners(deps, organizationId, origin);
}

async function noteCredits({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<void> {
  const [least] = USAGE_ALERTS_PERCENT;
  for (const { id: organizationId, planType, used } of await store.listUsing(db, monthOf(new Date()))) {
    const limit = config.billing.plans[planType].creditsAMonth;
    if (used * 100 < limit * least) continue;
    await db.in({ organizationId }, (tx) =>
      noteUsed(tx, { organizationId, kind: 'credits', limit, before: 0, used }),
    );
  }
}

async function tellOwners(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  organizationId: string,
  origin: string,
): Promise<void> {
  await db.in({ organizationId }, async (tx) => {
    const organization = await findOrganization(tx, organizationId);
    const reached = await store.takeUntold(tx, organizationId);
    if (!organization) return;
    const { name: organizationName, planType, creditStop } = organization;
    const link = `${origin}${billingPath(organizationId)}`;
    const owners = reached.length > 0 ? await ownersMail(tx, organizationId) : [];
    for (const { kind, percent, used, limit } of reached)
      for (const email of owners)
        await enqueueMail(
          tx,
          jobs,
          email,
          alertMail({ organizationName, planType, kind, percent, used, limit, creditStop, link }),
        );
  });
}
