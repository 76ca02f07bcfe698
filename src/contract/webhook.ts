import * as z from 'zod';
import { nextCursor, page, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS } from './limits.ts';
import { webhookEvents } from './plugin-types.ts';
import { route } from './route.ts';

/** `pending`: waiting to be sent or retried. `failed`: abandoned after many attempts. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const;

/** An event on its way to a webhook. */
export const WebhookDelivery = z.object({
  /** Also its `webhook-id`, by which the receiver recognizes duplicates. */
  id: idOf('webhookDelivery'),
  event: z.enum(webhookEvents),
  /** The body, identical on every attempt. */
  payload: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number().int(),
  /** Of the last attempt; null before it, or if there was no response. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  durationMs: z.number().int().nullable(),
  createdAt: Timestamp,
  attemptedAt: Timestamp.nullable(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const ofPlugin = { id: idOf('plugin') };

/** Calls on plugins of the type `webhook`; 404 for any other plugin. */
export const webhook = {
  listDeliveries: route({
    method: 'GET',
    path: '/v1/plugin/{id}/delivery',
    summary: "A webhook's deliveries, newest first",
    input: z.strictObject({ ...ofPlugin, cursor: page.cursor, count: page.count }),
    output: z.object({ deliveries: z.array(WebhookDelivery), nextCursor }),
  }),
  replay: route({
    method: 'POST',
    path: '/v1/plugin/{id}/delivery/{deliveryId}/replay',
    summary: 'Send a delivery again, with the same id and body',
    input: z.strictObject({ ...ofPlugin, deliveryId: idOf('webhookDelivery') }),
    output: z.object({ delivery: WebhookDelivery }),
    limit: { requests: PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
  }),
  /**
   * With `rotate`, creates a new one; for a day the previous one signs as well. Errors: 403 for callers who may not
   * change the agent.
   */
  secret: route({
    method: 'POST',
    path: '/v1/plugin/{id}/secret',
    summary: 'Read or renew the signing secret of deliveries',
    input: z.strictObject({ ...ofPlugin, rotate: z.boolean().default(false) }),
    output: z.object({ secret: z.string() }),
  }),
};
