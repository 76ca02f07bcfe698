import type { PluginType } from '../../contract/plugin-names.ts';
import type { PluginSettings } from '../../contract/plugin-types.ts';
import type { Deps } from '../deps.ts';
import type { OpenChannel } from './channel.ts';

interface WithAccount {
  id: string;
  type: PluginType;
  settingsData: PluginSettings;
  credentials: string | null;
  updatedAt: Date;
}

/** The channel of a stored plugin; undefined if it has no messages or no account yet. */
export function openChannel(
  { channels, vault }: Pick<Deps, 'channels' | 'vault'>,
  { id, type, settingsData: settings, credentials, updatedAt }: WithAccount,
): OpenChannel | undefined {
  if (credentials === null || !channels.find(type)) return undefined;
  return channels.open(type, {
    pluginId: id,
    // Renewed tokens don't count as a change of the plugin.
    version: `${updatedAt.toISOString()} ${credentials}`,
    settings,
    credentials: openCredentials(vault, { id, credentials }),
  });
}

/** A plugin's decrypted credentials. */
export function openCredentials(
  vault: Deps['vault'],
  { id, credentials }: { id: string; credentials: string },
): Record<string, string> {
  return JSON.parse(vault.decrypt(credentials, id)) as Record<string, string>;
}
