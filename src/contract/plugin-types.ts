import * as z from 'zod';
import { EmailAddress, name, text, WebAddress } from './common.ts';
import { PLUGIN_SECRET_MAX_CHARACTERS } from './limits.ts';
import { parseUrl } from './parse-url.ts';
import type { PluginType } from './plugin-names.ts';

export { pluginTypes, type PluginType } from './plugin-names.ts';

const Secret = text(PLUGIN_SECRET_MAX_CHARACTERS, 1).regex(
  /^[\u0021-\u007e]+$/,
  'Must contain only letters, digits and symbols, without spaces.',
);
const SmtpAddress = Secret.refine(isSmtpAddress, 'Must be an address like smtps://user:password@host:465.');
const none = z.strictObject({});

function isSmtpAddress(value: string): boolean {
  const url = parseUrl(value);
  return url !== null && (url.protocol === 'smtp:' || url.protocol === 'smtps:') && url.hostname !== '';
}

/**
 * The events a webhook can receive. `answer.failed` includes answers that broke off, but not ones that reached the
 * maximum length; `feedback.given` is sent again when a rating changes.
 */
export const webhookEvents = [
  'conversation.started',
  'answer.completed',
  'answer.failed',
  'feedback.given',
  'lead.collected',
  'handover.requested',
  'usage.alert',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/**
 * What each type takes: settings, which can be read back, and credentials, which can't. This is the only place that
 * describes a type; the catalog, its forms and the input validation derive from it.
 */
export const pluginShapes = {
  twitter: { settings: none, credentials: none },
  telegram: {
    settings: none,
    /** The token that BotFather issues. */
    credentials: z.strictObject({ botToken: Secret }),
  },
  slack: {
    settings: none,
    /** The bot's token (`xoxb-`) and the app's signing secret. */
    credentials: z.strictObject({ botToken: Secret, signingSecret: Secret }),
  },
  discord: {
    /** From the application's page at Discord. */
    settings: z.strictObject({
      applicationId: text(25, 1).regex(/^\d{15,25}$/, "Must be the application's numeric id."),
      publicKey: text(64, 64).regex(/^[0-9a-f]+$/, "Must be the application's public key."),
    }),
    credentials: z.strictObject({ botToken: Secret }),
  },
  whatsapp: {
    /** The number's id at Meta, not the number itself. */
    settings: z.strictObject({
      phoneNumberId: text(30, 1).regex(/^\d+$/, "Must be the phone number's id."),
    }),
    credentials: z.strictObject({ accessToken: Secret, appSecret: Secret }),
  },
  email: {
    settings: z.strictObject({
      /** The address people write to, and get answers from. */
      address: EmailAddress,
      /** The sender's name. */
      name: name(100),
    }),
    credentials: z.strictObject({
      /** `smtps://user:password@host:port`; without it, the installation's own server is used. */
      smtpUrl: SmtpAddress.optional(),
    }),
  },
  webhook: {
    settings: z.strictObject({
      url: WebAddress,
      events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
    }),
    credentials: none,
  },
} as const satisfies Record<PluginType, { settings: z.ZodObject; credentials: z.ZodObject }>;

/** The plugin's type determines which. */
export const PluginSettings = z.record(z.string(), z.unknown());
export type PluginSettings = z.infer<typeof PluginSettings>;
export const PluginCredentials = z.record(z.string(), z.string());
export type PluginCredentials = z.infer<typeof PluginCredentials>;
