import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import { openChannel } from '../../channels/open-channel.ts';
import { webhookUrlOf } from './present.ts';
import * as store from './store.ts';
import type { StoredPlugin } from './store.ts';

/** Handled by other features. */
export interface PluginWork {
  /** Why a webhook can't be reached; undefined if it can. */
  pingWebhook: (webhook: StoredPlugin) => Promise<string | undefined>;
  /** The plugin with tokens that stay valid for a while. */
  renew: (plugin: StoredPlugin) => Promise<StoredPlugin>;
}

/**
 * Asks a plugin's service whether its credentials are valid, and tells it where to send messages. The result is the
 * plugin's health, never an error of the call. A type without a service is left unchanged.
 */
export async function checkPlugin(
  deps: Deps,
  work: PluginWork,
  plugin: StoredPlugin,
  origin: string,
): Promise<StoredPlugin> {
  const { organizationId, id } = plugin;
  const found = await lookAt(deps, work, plugin, origin);
  if (!found) return plugin;
  const changes =
    'reason' in found
      ? { health: 'failing' as const, healthError: found.reason }
      : {
          health: 'healthy' as const,
          healthError: null,
          accountName: found.accountName?.slice(0, 200) ?? null,
        };
  const noted = await deps.db.in({ organizationId }, (tx) =>
    store.noteCheck(tx, organizationId, id, changes),
  );
  return noted ?? plugin;
}

async function lookAt(
  deps: Deps,
  { pingWebhook, renew }: PluginWork,
  plugin: StoredPlugin,
  origin: string,
): Promise<{ reason: string } | { accountName: string | null } | undefined> {
  if (plugin.type === 'webhook') {
    const reason = await pingWebhook(plugin);
    return reason === undefined ? { accountName: null } : { reason };
  }
  const connect = async () =>
    openChannel(deps, await renew(plugin))?.connect(webhookUrlOf(plugin.id, origin));
  return connect().catch(asReason);
}

/** Tells its service to stop sending; a service that doesn't respond doesn't prevent the plugin's removal. */
export async function leaveService(deps: Deps, plugin: StoredPlugin): Promise<void> {
  const channel = openChannel(deps, plugin);
  await channel
    ?.leave()
    .catch((error: unknown) =>
      deps.log.info({ err: error, plugin: plugin.id }, 'a service could not be told to stop sending'),
    );
}

function asReason(error: unknown): { reason: string } {
  if (error instanceof AppError) return { reason: error.message };
  throw error;
}
