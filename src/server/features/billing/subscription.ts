import type Stripe from 'stripe';
import type { PlanType } from '../../../contract/plans.ts';
import { speakFor, type Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { enqueueMail } from '../mail/store.ts';
import { findOrganization } from '../organization/store.ts';
import { billingPath } from './choose-plan.ts';
import { rewardReferral } from './referral-store.ts';
import { refusedMail } from './refused-mail.ts';
import { afterGrace, isGraceOver, periodOf, readState } from './provider-state.ts';
import * as store from './subscription-store.ts';

/** How often to look for subscriptions that are due to be reread. */
export const RECONCILE_SWEEP_MS = 60_000;
const ORGANIZATIONS_A_SWEEP = 50;

/** Any event about a customer can change what they have paid for. */
const happenings: readonly Stripe.Event['type'][] = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

type Reading = Pick<Deps, 'config' | 'jobs' | 'payments'>;

/**
 * Organizations' plans follow the provider: every event about one of our customers causes their subscription to be
 * reread. Nothing in the event is trusted except whom it is about, so order and duplicates don't matter.
 */
export function followSubscriptions({ config, jobs, payments }: Reading, origin: () => string): void {
  for (const type of happenings) {
    payments.events.on(type, async (tx, { event, account }) => {
      if (account !== undefined) return;
      const customerId = await customerOf(payments.stripe, event);
      const organizationId = customerId && (await store.organizationOfCustomer(tx, customerId));
      if (!organizationId) return;
      await speakFor(tx, organizationId);
      await readAgain(tx, { config, jobs, payments }, organizationId, origin);
    });
  }
}

/** Catches up on lost events, and ends plans whose grace period is over. Retries soon if the provider is unreachable. */
export async function reconcile(
  deps: Reading & Pick<Deps, 'db' | 'log'>,
  origin: () => string,
): Promise<void> {
  for (const organizationId of await store.takeUnread(deps.db, ORGANIZATIONS_A_SWEEP)) {
    await deps.db
      .in({ organizationId }, (tx) => readAgain(tx, deps, organizationId, origin))
      .catch(async (error: unknown) => {
        deps.log.warn({ err: error, organizationId }, 'a subscription could not be refreshed');
        await deps.db.in({ organizationId }, (tx) => store.readSoon(tx, organizationId));
      });
  }
}

/**
 * Records the organization's state at the provider, and derives its plan from that. Read under the lock, so whoever
 * comes later reads newer state. Nothing the organization has is affected. Owners are notified once of a declined
 * renewal.
 */
async function readAgain(
  tx: Tx,
  { config, jobs, payments }: Reading,
  organizationId: string,
  origin: () => string,
): Promise<void> {
  await store.lockReading(tx, organizationId);
  const known = await store.findSubscription(tx, organizationId);
  if (!known) return;
  const there = await readState(payments.stripe, known.customerId);
  const { subscription, state, planType, nextPlanType } = there;
  const pastDueSince = state === 'past-due' ? (known.pastDueSince ?? new Date()) : null;
  await store.setPlan(tx, config, organizationId, isGraceOver(pastDueSince) ? 'FREE_PLAN' : planType);
  await store.updateSubscription(tx, organizationId, {
    subscriptionId: subscription?.id ?? null,
    state,
    periodEndsAt: subscription ? new Date(periodOf(subscription).endsAt * 1000) : null,
    endsAtPeriodEnd: subscription?.cancel_at_period_end ?? false,
    nextPlanType,
    pastDueSince,
    readAt: new Date(),
  });
  if (state === 'active' && there.hasPaid) await rewardReferral(tx, organizationId);
  if (pastDueSince && !known.pastDueSince)
    await tellRefused(tx, jobs, organizationId, { planType, pastDueSince, origin });
}

interface Refused {
  planType: PlanType;
  pastDueSince: Date;
  origin: () => string;
}

async function tellRefused(
  tx: Tx,
  jobs: Deps['jobs'],
  organizationId: string,
  { planType, pastDueSince, origin }: Refused,
): Promise<void> {
  const organizationName = (await findOrganization(tx, organizationId))?.name ?? '';
  const link = origin() + billingPath(organizationId);
  const letter = refusedMail({ organizationName, planType, holdsUntil: afterGrace(pastDueSince), link });
  for (const email of await store.ownersMail(tx, organizationId)) await enqueueMail(tx, jobs, email, letter);
}

/** Whom an event is about; a dispute only reveals it through the payment. */
async function customerOf(stripe: Stripe, { data: { object } }: Stripe.Event): Promise<string | undefined> {
  if (object.object === 'customer') return object.id;
  if (object.object === 'dispute') {
    const charge = typeof object.charge === 'string' ? object.charge : object.charge.id;
    return idOf((await stripe.charges.retrieve(charge)).customer);
  }
  return 'customer' in object ? idOf(object.customer) : undefined;
}

function idOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  return given !== null && typeof given === 'object' && 'id' in given ? String(given.id) : undefined;
}
