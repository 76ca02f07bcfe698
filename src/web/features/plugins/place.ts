import { isId } from '../../../contract/id-format.ts';
import { pluginTypes, type PluginType } from '../../../contract/plugin-names.ts';

export function isType(handle: string | undefined): handle is PluginType {
  return (pluginTypes as readonly string[]).includes(handle ?? '');
}

/** An address that names a plugin by ID, or by type. */
export function isPlace({ pluginHandle, pluginId }: Readonly<Record<string, string | undefined>>): boolean {
  const isKnown = pluginHandle === undefined || isType(pluginHandle) || isId('plugin', pluginHandle);
  return isKnown && (pluginId === undefined || isId('plugin', pluginId) || isType(pluginId));
}
