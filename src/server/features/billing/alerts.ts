import { USAGE_ALERTS_PERCENT } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';
import { enqueueMail } from '../mail/store.ts';
import { findOrganization } from '../organization/store.ts';
import { alertMail } from './alert-mail.ts';
import * as store from './alert-store.ts';
import { billingPath } from './choose-plan.ts';
import { ownersMail } from './subscription-store.ts';

/** How often it is looked for organizations that have used much of their month. */
export const ALERT_SWEEP_MS = 60_000;

/**
 * Tells owners, and webhooks by what is written down, when half, three quarters, nine tenths and all of a month's credits are
 * used: each once a month, whichever process sees it, and of several at a time in one mail. Asking an agent costs nothing for it.
 */
export async function tellUsage(
  { config, db, jobs }: Pick<Deps, 'config' | 'db' | 'jobs'>,
  origin: string,
): Promise<void> {
  if (config.billing.mode === 'off') return;
  const month = new Date().toISOString().slice(0, 7);
  const [least] = USAGE_ALERTS_PERCENT;
  for (const { id: organizationId, planType, used } of await store.listUsing(db, month)) {
    const limit = config.billing.plans[planType].creditsAMonth;
    if (used * 100 < limit * least) continue;
    await db.in({ organizationId }, async (tx) => {
      const reached = USAGE_ALERTS_PERCENT.filter((percent) => used * 100 >= limit * percent);
      const fresh = await store.insertAlerts(tx, { organizationId, month, used, limit }, reached);
      const percent = Math.max(0, ...fresh);
      const organization = await findOrganization(tx, organizationId);
      if (percent === 0 || !organization) return;
      const link = `${origin}${billingPath(organizationId)}`;
      const letter = { organizationName: organization.name, planType, percent, used, limit, link };
      for (const email of await ownersMail(tx, organizationId))
        await enqueueMail(tx, jobs, email, alertMail(letter));
    });
  }
}
