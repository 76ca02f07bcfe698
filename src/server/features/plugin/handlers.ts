import {
  pluginSettings,
  type plugin as contract,
  type Plugin,
  type PluginSettings,
  type PluginType,
} from '../../../contract/plugin.ts';
import { PLUGINS_PER_AGENT_MAX } from '../../../contract/limits.ts';
import { inAgent, inOrganization, organizationOf } from '../../access/gate.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import { personOf, type Handlers, type MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import * as store from './store.ts';
import { beginConnect, comeBack, login } from './twitter.ts';

export function pluginHandlers(deps: Deps): Handlers<typeof contract> {
  const { db } = deps;

  const inPlugin = async <T>(
    caller: MemberCaller,
    id: string,
    permission: 'agent.read' | 'agent.write',
    work: (tx: Tx, found: { plugin: store.StoredPlugin; agentName: string }) => Promise<T>,
  ): Promise<T> => {
    const organizationId = await organizationOf(db, 'plugin', id);
    return inOrganization(db, caller, organizationId, permission, async (tx, { agents }) => {
      const found = await store.findPlugin(tx, organizationId, id, agents);
      if (!found) throw notFound();
      return work(tx, found);
    });
  };

  return {
    list: async ({ chatbotId }, caller) => {
      const found = await inAgent(db, caller, chatbotId, 'agent.read', (tx, { organizationId }) =>
        store.listPlugins(tx, organizationId, chatbotId),
      );
      return { plugins: found.map(pluginOf) };
    },

    get: async ({ id }, caller) => ({
      plugin: await inPlugin(caller, id, 'agent.read', async (_tx, { plugin }) => pluginOf(plugin)),
    }),

    create: async ({ chatbotId, type, settingsData }, caller, context) => {
      const made = await inAgent(db, caller, chatbotId, 'agent.write', async (tx, agent) => {
        const { organizationId } = agent;
        if ((await store.countPlugins(tx, organizationId, chatbotId)) >= PLUGINS_PER_AGENT_MAX)
          throw new AppError('resource/conflict', `An agent has at most ${PLUGINS_PER_AGENT_MAX} plugins.`);
        const plugin = await store.insertPlugin(tx, {
          organizationId,
          agentId: chatbotId,
          type,
          handle: type,
          settingsData: requireSettings(type, settingsData),
        });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'plugin.create',
          target: { id: plugin.id, name: agent.name },
          after: { type },
        });
        return plugin;
      });
      return { plugin: pluginOf(made) };
    },

    update: async ({ id, settingsData, status }, caller, context) => {
      const changed = await inPlugin(caller, id, 'agent.write', async (tx, { plugin, agentName }) => {
        const { organizationId, type } = plugin;
        const settings = settingsData && requireSettings(type, settingsData);
        const after = await store.updatePlugin(tx, organizationId, id, { settingsData: settings, status });
        if (!after) throw notFound();
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'plugin.update',
          target: { id, name: agentName },
          before: { status: plugin.status, settingsData: plugin.settingsData },
          after: { status: after.status, settingsData: after.settingsData },
        });
        return after;
      });
      return { plugin: pluginOf(changed) };
    },

    remove: async ({ id }, caller, context) => {
      await inPlugin(caller, id, 'agent.write', async (tx, { plugin, agentName }) => {
        await store.deletePlugin(tx, plugin.organizationId, id);
        await recordAudit(tx, caller, context, {
          organizationId: plugin.organizationId,
          action: 'plugin.remove',
          target: { id, name: agentName },
          before: { type: plugin.type },
        });
      });
      return { deleted: true };
    },

    connect: async ({ id }, caller, context) => {
      const { userId } = personOf(caller);
      await inPlugin(caller, id, 'agent.write', async () => undefined);
      if (!deps.x.isConfigured) throw new AppError('auth/provider-unavailable', 'X is not set up here.');
      return { url: await beginConnect(deps, userId, id, context) };
    },

    twitterLogin: async ({ ticket }, _caller, context) => login(deps, ticket, context),

    twitterCallback: async ({ state, code, iss }, _caller, context) =>
      comeBack(deps, { state, code, iss }, context),
  };
}

/** The settings of one type are none of another's. */
function requireSettings(type: PluginType, settings: PluginSettings): PluginSettings {
  const parsed = pluginSettings[type].safeParse(settings);
  if (!parsed.success)
    throw invalidField('settingsData', `These are no settings of a plugin of the type ${type}.`);
  return parsed.data;
}

/** Of its credentials only that there are some. */
function pluginOf({
  agentId,
  credentials,
  accountName,
  createdAt,
  updatedAt,
  ...plugin
}: store.StoredPlugin): Plugin {
  return {
    ...plugin,
    chatbotId: agentId,
    connection: { isConnected: credentials !== null, accountName },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
