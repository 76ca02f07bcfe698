/** Names alone, for pages that are too small for a schema library. */

/** `twitter` is X, by the name that its calls have. */
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
