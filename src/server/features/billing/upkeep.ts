import type { Deps } from '../../deps.ts';
import type { Sweep } from '../../sweeps.ts';
import { ALERT_SWEEP_MS, tellUsage } from './alerts.ts';
import { reconcile, RECONCILE_SWEEP_MS } from './subscription.ts';

export { followSubscriptions } from './subscription.ts';

/** What is looked at again and again about plans. */
export function planSweeps(deps: Deps, origin: () => string): Sweep[] {
  return [
    { name: 'subscriptions', everyMs: RECONCILE_SWEEP_MS, run: () => reconcile(deps) },
    { name: 'usage alerts', everyMs: ALERT_SWEEP_MS, run: () => tellUsage(deps, origin()) },
  ];
}
