import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import Stripe from 'stripe';
import type { Log } from '../../log.ts';
import { StartError } from '../../start-error.ts';
import { startSweeps } from '../../sweeps.ts';
import { createApi } from './api.ts';
import { sharedSecret } from './books.ts';
import { catalogRoutes } from './catalog.ts';
import { checkoutRoutes } from './checkout.ts';
import { connectRoutes } from './connect.ts';
import { customerRoutes } from './customers.ts';
import { forgetOldEvents, startDeliveries, type DeliverHere } from './deliver.ts';
import { discountRoutes } from './discounts.ts';
import { disputeRoutes } from './disputes.ts';
import { ensureOwnEndpoint, hookRoutes } from './hooks.ts';
import { invoiceRoutes } from './invoices.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { meterRoutes } from './meters.ts';
import { portalRoutes } from './portal.ts';
import { paymentRoutes } from './refunds.ts';
import { passTime } from './renewals.ts';
import { subscriptionRoutes } from './subscription-routes.ts';

/** The maximum delay in noticing renewals and expiries. */
const TIME_PASSES_MS = 10_000;
const FORGET_EVERY_MS = 3_600_000;

interface LocalPayments {
  url: string;
  key: string;
  webhookSecret: string;
  ledger: Ledger;
  close: () => Promise<void>;
}

interface Settings {
  owner: pg.Pool;
  log: Log;
  /** 0: any free port. */
  port: number;
  /** The address where browsers find the pages. */
  pages: () => string;
  deliverHere: DeliverHere;
}

/**
 * The stand-in for the payment provider: its API on this machine's loopback, its deliveries and its clock. All its
 * state is in the database, so each process of an installation can run one, and all are the same provider.
 */
export async function startLocalPayments({
  owner,
  log,
  port,
  pages,
  deliverHere,
}: Settings): Promise<LocalPayments> {
  const key = await sharedSecret(owner, 'secret_key', 'sk_test_');
  const webhookSecret = await sharedSecret(owner, 'webhook_secret', 'whsec_');
  const sign = (payload: string, secret: string): string =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const deliveries = startDeliveries({ pool: owner, log, sign, deliverHere });
  const ledger = openLedger(owner, deliveries.soon);
  await ledger.write('', (books) => ensureOwnEndpoint(books, webhookSecret));
  const api = createApi({ ledger, routes: routesOf(pages), key, log });
  await api.listen({ host: '127.0.0.1', port }).catch((error: unknown) => {
    throw explainPort(error, port);
  });
  const clock = startClock(ledger, log);
  return {
    url: `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`,
    key,
    webhookSecret,
    ledger,
    close: async () => {
      await clock.stop();
      await api.close();
      await deliveries.stop();
    },
  };
}

/** Tells the operator what to do about it; returns any other error as is. */
function explainPort(error: unknown, port: number): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!['EADDRINUSE', 'EACCES'].includes(code)) return error;
  return new StartError(
    `STRIPE_LOCAL_PORT is ${port}, which cannot be listened at (${code}). Set another, or none for a free one.`,
  );
}

function routesOf(pages: () => string) {
  return [
    ...customerRoutes,
    ...catalogRoutes,
    ...discountRoutes,
    ...checkoutRoutes(pages),
    ...subscriptionRoutes,
    ...invoiceRoutes,
    ...paymentRoutes,
    ...disputeRoutes,
    ...portalRoutes(pages),
    ...connectRoutes(pages),
    ...meterRoutes,
    ...hookRoutes,
  ];
}

function startClock(ledger: Ledger, log: Log): { stop: () => Promise<void> } {
  return startSweeps(log, [
    {
      name: 'the clock of payments',
      everyMs: TIME_PASSES_MS,
      run: () => ledger.write('', (books) => passTime(books, books.now)),
    },
    { name: 'old events of payments', everyMs: FORGET_EVERY_MS, run: () => forgetOldEvents(ledger.pool) },
  ]);
}
