import { Webhook } from 'standardwebhooks';
import { WEBHOOK_TIMEOUT_MS } from '../../../contract/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { Tried } from './store.ts';

interface Sending {
  id: string;
  payload: string;
  url: string;
  /** `whsec_` and base64, as in Standard Webhooks; each of them signs. */
  secrets: string[];
}

/**
 * Sends once, signed per Standard Webhooks (https://www.standardwebhooks.com): ID, time and body together. Only 2xx
 * counts as delivered; redirects are not followed. The response body is not read.
 */
export async function sendWebhook(
  { services }: Pick<Deps, 'services'>,
  { id, payload, url, secrets }: Sending,
): Promise<Tried> {
  const now = new Date();
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  try {
    const response = await services(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Parley',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, payload)).join(' '),
      },
      body: payload,
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    });
    await response.body?.cancel().catch(() => undefined);
    const { status } = response;
    return { status, error: response.ok ? null : `It answered ${status}.`, durationMs: durationMs() };
  } catch (error) {
    const isAllowed = !(error instanceof AppError && error.code === 'egress/url-not-allowed');
    const reason = isAllowed ? 'It did not answer.' : 'This address is not allowed.';
    return { status: null, error: reason, durationMs: durationMs() };
  }
}
