/** Names only, for pages too small for a schema library. */

/** `twitter` is X, under the name its calls use. */
export const pluginTypes = [
  'twitter',
  'telegram',
  'slack',
  'discord',
  'whatsapp',
  'email',
  'webhook',
] as const;
export type PluginType = (typeof pluginTypes)[number];
