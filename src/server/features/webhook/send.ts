import { Webhook } from 'standardwebhooks';
import { WEBHOOK_TIMEOUT_MS } from '../../../contract/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { Tried } from './store.ts';

interface Sending {
  id: string;
  payload: string;
  url: string;
  /** `whsec_` and base64, as Standard Webhooks has it; each signs. */
  secrets: string[];
}

/**
 * Sends once, signed as Standard Webhooks says (https://www.standardwebhooks.com): id, time and body together. Only 2xx is an
 * answer that it has arrived; no redirect is followed. Of an answer's body nothing is read.
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
