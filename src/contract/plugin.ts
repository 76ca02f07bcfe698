import * as z from 'zod';
import { text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { PLUGIN_LOGINS_PER_HOUR_AND_ADDRESS } from './limits.ts';
import { route } from './route.ts';

/** `twitter` is X, by the name that its calls have. */
export const pluginTypes = ['twitter'] as const;
export type PluginType = (typeof pluginTypes)[number];

/** What is set of a plugin, by its type. Secrets are never settings. */
export const pluginSettings = {
  twitter: z.strictObject({}),
} as const satisfies Record<PluginType, z.ZodObject>;
export const PluginSettings = z.union([pluginSettings.twitter]);
export type PluginSettings = z.infer<typeof PluginSettings>;

/** A paused plugin keeps its settings and its account, and does nothing. */
export const pluginStatuses = ['active', 'paused'] as const;

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
  /** All that is told of its credentials. */
  connection: z.object({ isConnected: z.boolean(), accountName: z.string().nullable() }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Plugin = z.infer<typeof Plugin>;

const ofPlugin = z.strictObject({ id: idOf('plugin') });
const One = z.object({ plugin: Plugin });
const limit = { requests: PLUGIN_LOGINS_PER_HOUR_AND_ADDRESS, seconds: 3600 };
/** A browser that asks for a page is sent there; a program is told. */
const Onward = z.object({ url: z.string() });

export const plugin = {
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
    }),
    output: One,
  }),
  update: route({
    method: 'PUT',
    path: '/v1/plugin/{id}',
    summary: 'Change a plugin',
    input: z.strictObject({
      id: idOf('plugin'),
      settingsData: PluginSettings.optional(),
      status: z.enum(pluginStatuses).optional(),
    }),
    output: One,
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/plugin/{id}',
    summary: 'Remove a plugin with its account',
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
    summary: 'Come back from X',
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
