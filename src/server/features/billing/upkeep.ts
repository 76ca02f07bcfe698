import type { Deps } from '../../deps.ts';
import type { Sweep } from '../../sweeps.ts';
import { ALERT_SWEEP_MS, tellUsage } from './alerts.ts';
import { returnForgotten } from './hold-store.ts';
import { closeMonths } from './referral-store.ts';
import { reconcile, RECONCILE_SWEEP_MS } from './subscription.ts';

export { followSubscriptions } from './subscription.ts';

const CLOSE_SWEEP_MS = 60_000;
const HOLD_SWEEP_MS = 60_000;

/** Recurring checks of plans. */
export function planSweeps(deps: Deps, origin: () => string): Sweep[] {
  return [
    { name: 'subscriptions', everyMs: RECONCILE_SWEEP_MS, run: () => reconcile(deps, origin) },
    { name: 'credits of past months', everyMs: CLOSE_SWEEP_MS, run: () => closeMonths(deps.db, deps.config) },
    { name: 'credits held by nobody', everyMs: HOLD_SWEEP_MS, run: () => returnForgotten(deps.db) },
    { name: 'usage alerts', everyMs: ALERT_SWEEP_MS, run: () => tellUsage(deps, origin()) },
  ];
}
