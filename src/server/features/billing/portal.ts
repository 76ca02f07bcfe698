import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { openPortal } from '../../payment/portal.ts';
import { billingPath, ensureCustomer } from './choose-plan.ts';
import { lockChoice } from './subscription-store.ts';

/** The provider's page for an organization. Plans are changed in the product, which explains what that means. */
export async function openPlanPortal(
  tx: Tx,
  deps: Pick<Deps, 'payments'>,
  organizationId: string,
  origin: string,
): Promise<string> {
  await lockChoice(tx, organizationId);
  const { customerId: customer } = await ensureCustomer(tx, deps, organizationId);
  return openPortal(deps.payments.stripe, { customer, returnUrl: origin + billingPath(organizationId) });
}
