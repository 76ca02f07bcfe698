import Stripe from 'stripe';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/scope.ts';
import type { Fetch } from '../egress/model-fetch.ts';
import type { Log } from '../log.ts';
import { createPaymentEvents, type PaymentEvents, type Provider } from './events.ts';
import { testPages, type TestPages } from './local/pages/pages.ts';
import type { DeliverHere } from './local/deliver.ts';
import { startLocalPayments } from './local/local.ts';

const TIMEOUT_MS = 20_000;
const RETRIES_MAX = 2;

/** The payment provider. The same code for Stripe itself, its test mode and the stand-in: only the address differs. */
export interface Payments extends Provider {
  events: PaymentEvents;
  /** The share of a payment to an organization's account that the operator keeps. */
  applicationFeePercent: number;
  /** The stand-in's pages; undefined if people are sent to Stripe. */
  pages: TestPages | undefined;
  close: () => Promise<void>;
}

interface Around {
  db: Database;
  /** Used for all outgoing requests. */
  fetch: Fetch;
  /** The address where browsers find this installation. */
  origin: () => string;
  /** How the stand-in's events arrive here. */
  deliverHere: DeliverHere;
}

export const WEBHOOK_PATH = '/v1/billing/stripe/webhook';
export const TEST_PAGES_PATH = '/test-payments';

export async function createPayments(
  {
    payments: { apiUrl, secretKey, webhookSecrets, applicationFeePercent, localPort },
  }: Pick<Config, 'payments'>,
  log: Log,
  { db, fetch, origin, deliverHere }: Around,
): Promise<Payments> {
  if (secretKey !== undefined) {
    const isTestMode = !/^[sr]k_live_/.test(secretKey);
    const provider = { stripe: clientOf(secretKey, apiUrl, fetch), isTestMode, webhookSecrets };
    const events = createPaymentEvents(db, log, provider);
    return { ...provider, events, applicationFeePercent, pages: undefined, close: async () => {} };
  }
  const pages = () => origin() + TEST_PAGES_PATH;
  const owner = db.boundedOwner;
  const local = await startLocalPayments({ owner, log, port: localPort, pages, deliverHere });
  const stripe = clientOf(local.key, local.url, fetch);
  const provider = { stripe, isTestMode: true, webhookSecrets: [local.webhookSecret] };
  const events = createPaymentEvents(db, log, provider);
  return { ...provider, events, applicationFeePercent, pages: testPages(local.ledger), close: local.close };
}

/** The official client, with telemetry off. */
function clientOf(key: string, apiUrl: string | undefined, fetch: Fetch): Stripe {
  const address = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(key, {
    httpClient: Stripe.createFetchHttpClient(fetch),
    telemetry: false,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    ...(address && {
      host: address.hostname,
      port: Number(address.port) || (address.protocol === 'http:' ? 80 : 443),
      protocol: address.protocol === 'http:' ? 'http' : 'https',
    }),
  });
}
