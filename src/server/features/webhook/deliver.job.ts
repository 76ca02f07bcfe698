import { pluginShapes } from '../../../contract/plugin-types.ts';
import type { Deps } from '../../deps.ts';
import { Postponed, type JobData } from '../../jobs/jobs.ts';
import { sendWebhook } from './send.ts';
import { signingSecretsOf } from '../../identity/signing-secret.ts';
import * as store from './store.ts';

/**
 * Delivers one event to a webhook. It may arrive twice, with the same ID. Deliveries of a paused webhook are sent once
 * it is active again, those of an agent in the trash once it is restored; if neither happens in time the delivery has
 * failed, and can be resent by hand.
 */
export function deliverWebhook(deps: Deps) {
  return async ({ organizationId, deliveryId: id }: JobData['webhook.deliver']): Promise<void> => {
    const found = await deps.db.in({ organizationId }, (tx) =>
      store.findDelivery(tx, { organizationId, id }),
    );
    if (found?.delivery.state !== 'pending') return;
    const { delivery, webhook, isInTrash } = found;
    if (isInTrash) throw new Postponed('The agent is in the trash.');
    if (webhook.status === 'paused') throw new Postponed('The webhook is paused.');
    const { url } = pluginShapes.webhook.settings.parse(webhook.settingsData);
    const secrets = signingSecretsOf(deps.vault, webhook);
    const tried = await sendWebhook(deps, { id, payload: delivery.payload, url, secrets });
    await deps.db.in({ organizationId }, (tx) => store.noteTry(tx, delivery, tried));
    if (tried.error !== null) throw new Error(`A webhook could not be delivered. ${tried.error}`);
  };
}

export function giveUpWebhook({ db }: Deps) {
  return ({ organizationId, deliveryId: id }: JobData['webhook.deliver']): Promise<void> =>
    db.in({ organizationId }, (tx) => store.giveUp(tx, { organizationId, id }));
}
