import { PUSH_KEPT_SECONDS, PUSH_TIMEOUT_MS } from '../../../contract/limits.ts';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { findInInbox, listHelpers } from '../inbox/store.ts';
import * as store from './store.ts';
import { vapidKeysOf } from './vapid.ts';

/** What the service worker displays. */
interface Notification {
  title: string;
  body: string;
  url: string;
  /** A later notification with the same tag replaces it. */
  tag: string;
}

type PushDeps = Pick<Deps, 'config' | 'db' | 'services' | 'vault'>;

/**
 * Tells a browser that somebody is waiting for a person, if that still holds and its user may still answer. Only that
 * browser can read the message.
 */
export function sendPush(deps: PushDeps) {
  const { db } = deps;
  return async (job: JobData['push.send']): Promise<void> => {
    const { organizationId, conversationId: id, subscriptionId } = job;
    const { subscription, conversation } = await db.in({ organizationId }, async (tx) => {
      const found = await findInInbox(tx, { organizationId, id });
      const helpers = found ? await listHelpers(tx, { organizationId, agentId: found.agent.id }) : [];
      const browser = await store.findSubscription(tx, subscriptionId);
      const mayAnswer = helpers.some(({ userId }) => userId === browser?.userId);
      return { subscription: mayAnswer ? browser : undefined, conversation: found };
    });
    if (!subscription || conversation?.handling !== 'waiting') return;
    const { endUser, agent, handover } = conversation;
    const isGone = await deliver(deps, subscription, {
      title: `${endUser.name} asks for a person`,
      body: handover?.reason || agent.name,
      url: `/platform/${organizationId}/inbox/${id}`,
      tag: id,
    });
    if (isGone) await db.in({}, (tx) => store.forgetSubscription(tx, subscriptionId));
  };
}

/** True if the service no longer knows this browser, or its address is not allowed. */
async function deliver(
  { config, services, vault }: PushDeps,
  { endpoint, p256dh, auth }: store.Subscription,
  notification: Notification,
): Promise<boolean> {
  const { default: webPush } = await import('web-push');
  const { method, headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(notification),
    {
      vapidDetails: { subject: `mailto:${addressOf(config.mailFrom)}`, ...vapidKeysOf(vault) },
      TTL: PUSH_KEPT_SECONDS,
      urgency: 'high',
    },
  );
  try {
    const response = await services(endpoint, {
      method,
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
    });
    await response.body?.cancel().catch(() => undefined);
    if (response.status === 404 || response.status === 410) return true;
    if (!response.ok) throw new Error(`A push service answered ${response.status}.`);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'egress/url-not-allowed') return true;
    throw error;
  }
}

/** The address in `Parley <parley@example.com>`, as contact for the push service. */
function addressOf(from: string): string {
  return /<([^<>]+)>/.exec(from)?.[1] ?? from;
}
