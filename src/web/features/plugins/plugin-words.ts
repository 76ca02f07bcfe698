import type { PluginType } from '../../../contract/plugin-names.ts';
import { pluginShapes } from '../../../contract/plugin-types.ts';
import { t, type MessageKey } from '../../messages/t.ts';

/** The steps at a service, in order. */
export const stepsOf: Record<PluginType, readonly MessageKey[]> = {
  twitter: ['plugins.steps.twitter.1', 'plugins.steps.twitter.2'],
  telegram: ['plugins.steps.telegram.1', 'plugins.steps.telegram.2', 'plugins.steps.telegram.3'],
  slack: ['plugins.steps.slack.1', 'plugins.steps.slack.2', 'plugins.steps.slack.3', 'plugins.steps.slack.4'],
  discord: ['plugins.steps.discord.1', 'plugins.steps.discord.2', 'plugins.steps.discord.3'],
  whatsapp: ['plugins.steps.whatsapp.1', 'plugins.steps.whatsapp.2', 'plugins.steps.whatsapp.3'],
  email: ['plugins.steps.email.1', 'plugins.steps.email.2', 'plugins.steps.email.3'],
  webhook: ['plugins.steps.webhook.1', 'plugins.steps.webhook.2'],
};

/** Services where a member enters our address manually; the others receive it automatically. */
export const takesAddressByHand: ReadonlySet<PluginType> = new Set<PluginType>([
  'slack',
  'whatsapp',
  'email',
]);

export const nameOf = (type: PluginType): string => t(`tools.plugin.${type}`);

/** A plugin's purpose: people write to it, or a service is notified. */
export function purposeOf(type: PluginType): 'channel' | 'webhook' {
  return type === 'webhook' ? type : 'channel';
}

type Shapes = typeof pluginShapes;
type FieldsOf<T> = T extends { shape: infer Shape } ? keyof Shape & string : never;
/** All fields of all types. */
export type PluginField = { [T in PluginType]: FieldsOf<Shapes[T]['settings' | 'credentials']> }[PluginType];

export function fieldsOf(type: PluginType, kind: 'settings' | 'credentials'): PluginField[] {
  return Object.keys(pluginShapes[type][kind].shape) as PluginField[];
}

export const labelOf = (field: PluginField): string => t(`plugins.field.${field}`);

const hints: Partial<Record<PluginField, MessageKey>> = {
  phoneNumberId: 'plugins.hint.phoneNumberId',
  smtpUrl: 'plugins.hint.smtpUrl',
};

/** A field's hint. */
export function hintOf(field: PluginField): string | undefined {
  const key = hints[field];
  return key && t(key);
}
