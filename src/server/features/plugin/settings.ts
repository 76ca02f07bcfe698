import type { PluginType } from '../../../contract/plugin-names.ts';
import { pluginShapes, type PluginSettings } from '../../../contract/plugin-types.ts';
import { openCredentials } from '../../channels/open-channel.ts';
import { AppError, invalidField } from '../../app-error.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { requireVisiblyOuter } from '../../egress/target.ts';
import { newSecret } from '../../identity/secrets.ts';
import { newSigningSecret } from '../../identity/signing-secret.ts';

/** One type's settings aren't valid for another; a webhook leads outside. Errors: 400. */
export function requireSettings(
  config: Pick<Config, 'ssrfAllowedHosts'>,
  type: PluginType,
  settings: PluginSettings,
): PluginSettings {
  const { url, ...rest } = requireShape(type, 'settings', 'settingsData', settings);
  if (typeof url !== 'string') return rest;
  requireVisiblyOuter(url, config);
  return { ...rest, url };
}

/**
 * The stored form of the credentials a member gave, encrypted for this plugin only, with the secrets of our own that
 * its channel needs: existing ones are kept. Null for a type without any. Errors: 400.
 */
export function sealCredentials(
  { vault, channels }: Pick<Deps, 'vault' | 'channels'>,
  { id, type, credentials }: { id: string; type: PluginType; credentials: string | null },
  given: Record<string, string> = {},
): string | null {
  const own = ownSecretsOf(channels, type);
  const parsed = requireShape(type, 'credentials', 'credentials', given);
  const isMade = own.length === 0 || credentials !== null;
  if (isMade && Object.keys(parsed).length === 0) return credentials;
  const before = credentials === null ? {} : openCredentials(vault, { id, credentials });
  const secrets = Object.fromEntries(own.map((name) => [name, before[name] ?? makeSecret(type)]));
  return vault.encrypt(JSON.stringify({ ...parsed, ...secrets }), id);
}

function ownSecretsOf(channels: Deps['channels'], type: PluginType): readonly string[] {
  return type === 'webhook' ? ['signingSecret'] : (channels.find(type)?.ownSecrets ?? []);
}

function makeSecret(type: PluginType): string {
  return type === 'webhook' ? newSigningSecret() : newSecret();
}

function requireShape(
  type: PluginType,
  kind: 'settings' | 'credentials',
  field: string,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const parsed = pluginShapes[type][kind].safeParse(given);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) => {
    const path = [field, ...issue.path].join('.');
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: `${path}.${key}`, message: 'This field is not known.' }));
  });
  const [first] = errors;
  if (!first) throw invalidField(field, `These are not valid ${kind} for a plugin of type ${type}.`);
  throw new AppError('request/invalid', first.message, { errors });
}
