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
 * What a webhook can be told. `answer.failed` is also one that broke off, not one that reached its longest; `feedback.given` comes again when somebody thinks
 * again.
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
 * What each type takes: settings, which are read again, and credentials, which are not. This is the one place where a type is
 * described; the catalogue, its forms and the checks of what is sent come from here.
 */
export const pluginShapes = {
  twitter: { settings: none, credentials: none },
  telegram: {
    settings: none,
    /** The token that BotFather gives. */
    credentials: z.strictObject({ botToken: Secret }),
  },
  slack: {
    settings: none,
    /** The bot's token (`xoxb-`) and the application's signing secret. */
    credentials: z.strictObject({ botToken: Secret, signingSecret: Secret }),
  },
  discord: {
    /** Of the application, as its page at Discord shows them. */
    settings: z.strictObject({
      applicationId: text(25, 1).regex(/^\d{15,25}$/, "Must be the application's numeric id."),
      publicKey: text(64, 64).regex(/^[0-9a-f]+$/, "Must be the application's public key."),
    }),
    credentials: z.strictObject({ botToken: Secret }),
  },
  whatsapp: {
    /** The number's id at Meta, which is not the number. */
    settings: z.strictObject({
      phoneNumberId: text(30, 1).regex(/^\d+$/, "Must be the phone number's id."),
    }),
    credentials: z.strictObject({ accessToken: Secret, appSecret: Secret }),
  },
  email: {
    settings: z.strictObject({
      /** To which people write, and from which they are answered. */
      address: EmailAddress,
      /** Of the sender. */
      name: name(100),
    }),
    credentials: z.strictObject({
      /** `smtps://user:password@host:port`; without it the installation's own server is used. */
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

/** Which of these, its type says. */
export const PluginSettings = z.record(z.string(), z.unknown());
export type PluginSettings = z.infer<typeof PluginSettings>;
export const PluginCredentials = z.record(z.string(), z.string());
export type PluginCredentials = z.infer<typeof PluginCredentials>;
