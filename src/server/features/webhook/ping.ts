import { pluginShapes } from '../../../contract/plugin-types.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { signingSecretsOf } from '../../identity/signing-secret.ts';
import { sendWebhook } from './send.ts';
import type { StoredPlugin } from './store.ts';

/** Tests whether a webhook can receive events: sends it `ping`, signed like everything else. Undefined if it arrived. */
export function pingWebhook(deps: Deps) {
  return async (webhook: StoredPlugin): Promise<string | undefined> => {
    const { url } = pluginShapes.webhook.settings.parse(webhook.settingsData);
    const payload = JSON.stringify({
      type: 'ping',
      timestamp: new Date().toISOString(),
      data: { agentId: webhook.agentId, pluginId: webhook.id },
    });
    const secrets = signingSecretsOf(deps.vault, webhook);
    const { error } = await sendWebhook(deps, { id: newId('webhookDelivery'), payload, url, secrets });
    return error ?? undefined;
  };
}
