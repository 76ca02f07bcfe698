import * as z from 'zod';
import { nextCursor, page, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS, PLUGIN_LOGINS_PER_HOUR_AND_ADDRESS } from './limits.ts';
import { pluginTypes } from './plugin-names.ts';
import { PluginCredentials, PluginSettings } from './plugin-types.ts';
import { route } from './route.ts';

/** A paused plugin keeps its settings and its account, and does nothing. */
export const pluginStatuses = ['active', 'paused'] as const;

/** `unknown` until somebody or something has looked. */
export const pluginHealth = ['unknown', 'healthy', 'failing'] as const;

/** What can be installed. */
export const PluginOffer = z.object({
  type: z.enum(pluginTypes),
  /** Its name in addresses of pages: `plugins/telegram/install`. */
  handle: z.string(),
  /** JSON Schemas of what is set, and of what is given once and never read again. */
  settings: z.record(z.string(), z.unknown()),
  credentials: z.record(z.string(), z.unknown()),
  /** Its account is connected by signing in there, after it was installed. */
  signsIn: z.boolean(),
  /** False where the installation lacks what it needs. */
  isAvailable: z.boolean(),
});
export type PluginOffer = z.infer<typeof PluginOffer>;

/** A channel or integration on one agent. */
export const Plugin = z.object({
  id: idOf('plugin'),
  organizationId: idOf('organization'),
  chatbotId: idOf('agent'),
  type: z.enum(pluginTypes),
  /** Its kind in the address of a page: `plugins/twitter/plg_…`. */
  handle: z.string(),
  settingsData: PluginSettings,
  status: z.enum(pluginStatuses),
  /** All that is shown of its credentials. */
  connection: z.object({ isConnected: z.boolean(), accountName: z.string().nullable() }),
  /** Where its service sends what people write; null where nothing is sent. */
  webhookUrl: z.string().nullable(),
  /** What its service asks back, or proves itself by; null where it does neither, and for who may not change the plugin. */
  verifyToken: z.string().nullable(),
  /** What came of the last look at it, and of the last thing done with it. */
  health: z.object({
    state: z.enum(pluginHealth),
    /** Why it fails, in plain words; null if it does not. */
    error: z.string().nullable(),
    checkedAt: Timestamp.nullable(),
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Plugin = z.infer<typeof Plugin>;

/**
 * `received`: to be answered. `answering`: the agent is asked. `answered`: the answer is there, as far as it could be brought.
 * `failed`: it could not be answered, or not brought.
 */
export const channelMessageStates = ['received', 'answering', 'answered', 'failed'] as const;

/** Something that a person wrote in a channel. */
export const ChannelMessage = z.object({
  id: idOf('channelMessage'),
  /** What the person is called there. */
  personName: z.string(),
  /** Its beginning. */
  text: z.string(),
  state: z.enum(channelMessageStates),
  error: z.string().nullable(),
  /** Null until the agent was asked. */
  conversationId: idOf('conversation').nullable(),
  receivedAt: Timestamp,
  answeredAt: Timestamp.nullable(),
});
export type ChannelMessage = z.infer<typeof ChannelMessage>;

const ofPlugin = z.strictObject({ id: idOf('plugin') });
const One = z.object({ plugin: Plugin });
const limit = { requests: PLUGIN_LOGINS_PER_HOUR_AND_ADDRESS, seconds: 3600 };
/** A browser that asks for a page is sent there; a program is told. */
const Onward = z.object({ url: z.string() });

export const plugin = {
  catalog: route({
    method: 'GET',
    path: '/v1/plugin/catalog',
    summary: 'What can be installed on an agent',
    input: z.strictObject({}),
    output: z.object({ plugins: z.array(PluginOffer) }),
  }),
  list: route({
    method: 'GET',
    path: '/v1/plugin',
    summary: "An agent's plugins, oldest first",
    input: z.strictObject({ chatbotId: idOf('agent') }),
    output: z.object({ plugins: z.array(Plugin) }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/plugin/{id}',
    summary: 'Read a plugin',
    input: ofPlugin,
    output: One,
  }),
  create: route({
    method: 'POST',
    path: '/v1/plugin',
    summary: 'Install a plugin on an agent',
    input: z.strictObject({
      chatbotId: idOf('agent'),
      type: z.enum(pluginTypes),
      settingsData: PluginSettings,
      /** What its type needs of the catalogue's `credentials`. */
      credentials: PluginCredentials.optional(),
    }),
    output: One,
    limit: { requests: PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
  }),
  update: route({
    method: 'PUT',
    path: '/v1/plugin/{id}',
    summary: 'Change a plugin',
    input: z.strictObject({
      id: idOf('plugin'),
      settingsData: PluginSettings.optional(),
      /** All of them anew. */
      credentials: PluginCredentials.optional(),
      status: z.enum(pluginStatuses).optional(),
    }),
    output: One,
    limit: { requests: PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
  }),
  /** Asks its service whether its credentials are good, and tells it where to send what people write. */
  check: route({
    method: 'POST',
    path: '/v1/plugin/{id}/check',
    summary: 'Check whether a plugin works',
    input: ofPlugin,
    output: One,
    limit: { requests: PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
  }),
  listMessages: route({
    method: 'GET',
    path: '/v1/plugin/{id}/message',
    summary: 'Messages received by a plugin, newest first, and their status',
    input: z.strictObject({ id: idOf('plugin'), cursor: page.cursor, count: page.count }),
    output: z.object({ messages: z.array(ChannelMessage), nextCursor }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/plugin/{id}',
    summary: 'Remove a plugin and its account',
    input: ofPlugin,
    output: z.object({ deleted: z.literal(true) }),
  }),
  /** Begins to give a plugin its account: an address to open in this browser within five minutes, once. */
  connect: route({
    method: 'POST',
    path: '/v1/plugin/{id}/connect',
    summary: "Connect a plugin's account",
    input: ofPlugin,
    output: z.object({ url: z.string() }),
  }),
  /** Leads on to X. Errors: 400 for a ticket that is not valid, was used, or is another browser's. */
  twitterLogin: route({
    method: 'GET',
    path: '/v1/plugin/twitter/oauth-login',
    summary: 'Sign in at X for a plugin',
    access: 'public',
    limit,
    input: z.strictObject({ ticket: text(2048).default('') }),
    output: Onward,
  }),
  /**
   * Where X sends the person back: keeps the account and leads on to the agent's plugins.
   * Errors: 400 for a state that is not this browser's, was used or is too old, and for a code that X does not know.
   */
  twitterCallback: route({
    method: 'GET',
    path: '/v1/plugin/twitter/oauth-callback',
    summary: 'Return from X',
    access: 'public',
    limit,
    input: z.strictObject({
      state: text(512).default(''),
      code: text(2048).optional(),
      iss: text(512).optional(),
      error: text(200).optional(),
      error_description: text(2000).optional(),
      error_uri: text(2000).optional(),
    }),
    output: Onward,
  }),
};
