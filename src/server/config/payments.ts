import { notValid } from './error.ts';
import { isLoopback } from '../egress/operator-fetch.ts';

export interface PaymentsConfig {
  /** Undefined: the local stand-in, where no money moves. */
  secretKey: string | undefined;
  webhookSecrets: string[];
  /** Undefined: Stripe's own. */
  apiUrl: string | undefined;
  /** The stand-in's port, on this machine's loopback interface; 0: a free one. */
  localPort: number;
  applicationFeePercent: number;
}

interface PaymentsEnvironment {
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_API_URL?: string | undefined;
  STRIPE_LOCAL_PORT: number;
  APPLICATION_FEE_PERCENT: number;
}

/** A live key goes to Stripe and nowhere else. */
export function paymentsOf(env: PaymentsEnvironment, webhookSecrets: string[]): PaymentsConfig {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl } = env;
  if ((secretKey === undefined) !== (webhookSecrets.length === 0))
    throw notValid('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: set both, or neither.');
  if (secretKey !== undefined && !/^[sr]k_(test|live)_/.test(secretKey))
    throw notValid('STRIPE_SECRET_KEY: use one that starts with sk_test_, sk_live_, rk_test_ or rk_live_.');
  if (apiUrl !== undefined && !/^[sr]k_test_/.test(secretKey ?? ''))
    throw notValid('STRIPE_API_URL: only with a test key in STRIPE_SECRET_KEY.');
  if (apiUrl !== undefined && !apiUrl.startsWith('https:') && !isLoopback(apiUrl))
    throw notValid('STRIPE_API_URL: only https, except on this machine.');
  const { STRIPE_LOCAL_PORT: localPort, APPLICATION_FEE_PERCENT: applicationFeePercent } = env;
  return { secretKey, webhookSecrets, apiUrl, localPort, applicationFeePercent };
}
