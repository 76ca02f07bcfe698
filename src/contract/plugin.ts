import * as z from 'zod';
import { nextCursor, page, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS, PLUGIN_LOGINS_PER_HOUR_AND_ADDRESS } from './limits.ts';
import { pluginTypes } from './plugin-names.ts';
import { PluginCredentials, PluginSettings } from './plugin-types.ts';
import { route } from './route.ts';

/** A paused plugin keeps its settings and account but does nothing. */
export const pluginStatuses = ['active', 'paused'] as const;

/** `unknown` until the first check or use. */
export const pluginHealth = ['unknown', 'healthy', 'failing'] as const;

/** What can be installed. */
export const PluginOffer = z.object({
  type: z.enum(pluginTypes),
  /** Its name in page addresses: `plugins/telegram/install`. */
  handle: z.string(),
  /** JSON Schemas of the settings, and of the credentials, which are given once and never read back. */
  settings: z.record(z.string(), z.unknown()),
  credentials: z.record(z.string(), z.unknown()),
  /** Its account is connected by signing in at the service, after installation. */
  signsIn: z.boolean(),
  /** False if the installation lacks something it needs. */
  isAvailable: z.boolean(),
});
export type PluginOffer = z.infer<typeof PluginOffer>;

/** A channel or integration on one agent. */
export const Plugin = z.object({
  id: idOf('plugin'),
  organizationId: idOf('organization'),
  chatbotId: idOf('agent'),
  type: z.enum(pluginTypes),
  /** Its type in a page address: `plugins/twitter/plg_…`. */
  handle: z.string(),
  settingsData: PluginSettings,
  status: z.enum(pluginStatuses),
  /** All that is ever shown of its credentials. */
  connection: z.object({ isConnected: z.boolean(), accountName: z.string().nullable() }),
  /** Where its service sends people's messages; null if it sends none. */
  webhookUrl: z.string().nullable(),
  /**
   * What its service echoes back, or authenticates itself with; null if it does neither, and for callers who may not
   * change the plugin.
   */
  verifyToken: z.string().nullable(),
  /** The result of the last check, and of the last use. */
  health: z.object({
    state: z.enum(pluginHealth),
    /** Why it fails, in plain words; null if it doesn't. */
    error: z.string().nullable(),
    checkedAt: Timestamp.nullable(),
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Plugin = z.infer<typeof Plugin>;

/**
 * `received`: waiting for an answer. `answering`: the agent is being asked. `answered`: the answer exists, and was
 * delivered as far as possible. `failed`: it couldn't be answered or delivered.
 */
export const channelMessageStates = ['received', 'answering', 'answered', 'failed'] as const;

/** A message that a person wrote in a channel. */
export const ChannelMessage = z.object({
  id: idOf('channelMessage'),
  /** The person's name in the channel. */
  personName: z.string(),
  /** The start of it. */
  text: z.string(),
  state: z.enum(channelMessageStates),
  error: z.string().nullable(),
  /** Null until the agent has been asked. */
  conversationId: idOf('conversation').nullable(),
  receivedAt: Timestamp,
  answeredAt: Timestamp.nullable(),
});
export type ChannelMessage = z.infer<typeof ChannelMessage>;

const ofPlugin = z.strictObject({ id: idOf('plugin') });
const One = z.object({ plugin: Plugin });
const limit = { requests: PLUGIN_LOGINS_PER_HOUR_AND_ADDRESS, seconds: 3600 };
/** A browser requesting a page is redirected there; a program gets the URL. */
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
      /** What its type requires, per the catalog's `credentials`. */
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
      /** Replaces all of them. */
      credentials: PluginCredentials.optional(),
      status: z.enum(pluginStatuses).optional(),
      /** With it, saving over settings that someone else has since saved is a 409; `now` in its `errors` holds them. */
      seen: Plugin.pick({ settingsData: true }).partial().optional(),
    }),
    output: One,
    limit: { requests: PLUGIN_CHECKS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
  }),
  /** Asks its service whether the credentials are valid, and tells it where to send people's messages. */
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
  /** Starts connecting a plugin's account: returns an address to open in this browser within five minutes, once. */
  connect: route({
    method: 'POST',
    path: '/v1/plugin/{id}/connect',
    summary: "Connect a plugin's account",
    input: ofPlugin,
    output: z.object({ url: z.string() }),
  }),
  /** Redirects to X. Errors: 400 for a ticket that is invalid, was used, or belongs to another browser. */
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
   * Where X sends the person back: saves the account and redirects to the agent's plugins. Errors: 400 for a state that
   * isn't this browser's, was used or is too old, and for a code that X doesn't recognize.
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
