import type { PlanInvoice, PlanSubscription } from '../../../contract/billing.ts';
import { INVOICES_SHOWN } from '../../../contract/limits.ts';
import { planTypes } from '../../../contract/plans.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { askProvider } from '../../payment/ask-provider.ts';
import { isThere } from '../../payment/reach.ts';
import { findOrganization } from '../organization/store.ts';
import { holdsUntil } from './provider-state.ts';
import { findSubscription } from './subscription-store.ts';

type InOrganization = <T>(work: (tx: Tx, organizationId: string) => Promise<T>) => Promise<T>;

/** What an owner sees about the plan. The invoices are fetched from the provider outside the transaction. */
export async function readSubscription(
  { config, payments }: Pick<Deps, 'config' | 'payments'>,
  inOrganization: InOrganization,
): Promise<PlanSubscription> {
  const { organization, known } = await inOrganization(async (tx, organizationId) => ({
    organization: await findOrganization(tx, organizationId),
    known: await findSubscription(tx, organizationId),
  }));
  if (!organization) throw notFound();
  const { planType, creditStop, stopMessage } = organization;
  return {
    planType,
    state: known?.state ?? 'none',
    periodEndsAt: known?.periodEndsAt?.toISOString() ?? null,
    endsAtPeriodEnd: known?.endsAtPeriodEnd ?? false,
    nextPlanType: known?.nextPlanType ?? null,
    holdsUntil: holdsUntil(known?.pastDueSince)?.toISOString() ?? null,
    isTestMode: payments.isTestMode,
    isLimited: config.billing.mode === 'on',
    plans: planTypes.map((type) => ({ type, numbers: config.billing.plans[type] })),
    invoices: known ? await invoicesOf(payments, known.customerId) : [],
    creditStop,
    stopMessage,
  };
}

async function invoicesOf({ stripe }: Deps['payments'], customer: string): Promise<PlanInvoice[] | null> {
  try {
    return await askProvider(async () => {
      if (!(await isThere(stripe, customer))) return [];
      const { data } = await stripe.invoices.list({ customer, limit: INVOICES_SHOWN });
      return data.map(({ id, created, total, currency, status, hosted_invoice_url: url }) => ({
        id: id ?? '',
        at: new Date(created * 1000).toISOString(),
        amount: total,
        currency,
        state: invoiceStates.find((state) => state === status) ?? 'draft',
        url: url ?? null,
      }));
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'payment/unavailable') return null;
    throw error;
  }
}

const invoiceStates = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;
