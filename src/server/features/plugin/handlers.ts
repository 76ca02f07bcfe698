import type { Role } from '../../../contract/access.ts';
import type { plugin as contract } from '../../../contract/plugin.ts';
import { PLUGINS_PER_AGENT_MAX } from '../../../contract/limits.ts';
import { inAgent, inOrganization, organizationOf } from '../../access/gate.ts';
import { requireSeen } from '../../access/seen.ts';
import { AppError, notFound } from '../../app-error.ts';
import { personOf, type Handlers, type MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { decodeCursor, encodeCursor, readId } from '../../cursor.ts';
import { newId } from '../../id.ts';
import { recordAudit } from '../audit/store.ts';
import { answerWaiting, listMessages } from '../channel/store.ts';
import { catalogOf } from './catalog.ts';
import { checkPlugin, leaveService, type PluginWork } from './check.ts';
import { presentMessage, presenterOf } from './present.ts';
import { requireSettings, sealCredentials } from './settings.ts';
import * as store from './store.ts';
import { beginConnect, comeBack, login } from './twitter.ts';

export function pluginHandlers(deps: Deps, work: PluginWork): Handlers<typeof contract> {
  const { db } = deps;
  const present = presenterOf(deps);
  const presentToEditor = (plugin: store.StoredPlugin, origin: string) => present(plugin, origin, 'editor');

  const inPlugin = async <T>(
    caller: MemberCaller,
    id: string,
    permission: 'agent.read' | 'agent.write',
    work: (tx: Tx, found: { plugin: store.StoredPlugin; agentName: string; role: Role }) => Promise<T>,
  ): Promise<T> => {
    const organizationId = await organizationOf(db, 'plugin', id);
    return inOrganization(db, caller, organizationId, permission, async (tx, { agents, role }) => {
      const found = await store.findPlugin(tx, organizationId, id, agents);
      if (!found) throw notFound();
      return work(tx, { ...found, role });
    });
  };

  return {
    catalog: async () => ({ plugins: catalogOf(deps) }),

    list: async ({ chatbotId }, caller, { origin }) =>
      inAgent(db, caller, chatbotId, 'agent.read', async (tx, { organizationId }, { role }) => {
        const found = await store.listPlugins(tx, organizationId, chatbotId);
        return { plugins: found.map((plugin) => present(plugin, origin, role)) };
      }),

    get: async ({ id }, caller, { origin }) => ({
      plugin: await inPlugin(caller, id, 'agent.read', async (_tx, { plugin, role }) =>
        present(plugin, origin, role),
      ),
    }),

    create: async ({ chatbotId, type, settingsData, credentials }, caller, context) => {
      const made = await inAgent(db, caller, chatbotId, 'agent.write', async (tx, agent) => {
        const { organizationId } = agent;
        if ((await store.countPlugins(tx, organizationId, chatbotId)) >= PLUGINS_PER_AGENT_MAX)
          throw new AppError(
            'resource/conflict',
            `An agent can have at most ${PLUGINS_PER_AGENT_MAX} plugins.`,
          );
        const id = newId('plugin');
        const plugin = await store.insertPlugin(tx, {
          id,
          organizationId,
          agentId: chatbotId,
          type,
          handle: type,
          settingsData: requireSettings(deps.config, type, settingsData),
          credentials: sealCredentials(deps, { id, type, credentials: null }, credentials),
        });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'plugin.create',
          target: { id: plugin.id, name: agent.name },
          after: { type },
        });
        return plugin;
      });
      return { plugin: presentToEditor(await checkPlugin(deps, work, made, context.origin), context.origin) };
    },

    update: async ({ id, settingsData, credentials, status, seen = {} }, caller, context) => {
      const changed = await inPlugin(caller, id, 'agent.write', async (tx, { plugin: found, agentName }) => {
        const plugin = await store.lockPlugin(tx, found);
        if (!plugin) throw notFound();
        requireSeen(plugin, seen, { settingsData });
        const { organizationId, type } = plugin;
        const isResumed = plugin.status === 'paused' && status === 'active';
        const after = await store.updatePlugin(tx, organizationId, id, {
          ...(isResumed && store.fromNowOn),
          settingsData: settingsData && requireSettings(deps.config, type, settingsData),
          credentials: credentials && sealCredentials(deps, plugin, credentials),
          status,
        });
        if (!after) throw notFound();
        if (isResumed)
          await answerWaiting(tx, deps.jobs, { organizationId, agentId: plugin.agentId, pluginId: id });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'plugin.update',
          target: { id, name: agentName },
          before: { status: plugin.status, settingsData: plugin.settingsData },
          after: {
            status: after.status,
            settingsData: after.settingsData,
            // That there are new ones, but not which.
            ...(credentials ? { credentials: 'new' } : {}),
          },
        });
        return after;
      });
      const isToCheck = (settingsData ?? credentials ?? status) !== 'paused';
      const checked = isToCheck ? await checkPlugin(deps, work, changed, context.origin) : changed;
      return { plugin: presentToEditor(checked, context.origin) };
    },

    check: async ({ id }, caller, { origin }) => {
      const plugin = await inPlugin(caller, id, 'agent.write', async (_tx, found) => found.plugin);
      return { plugin: presentToEditor(await checkPlugin(deps, work, plugin, origin), origin) };
    },

    listMessages: async ({ id, cursor, count }, caller) => {
      const before = decodeCursor(cursor, readId);
      const found = await inPlugin(caller, id, 'agent.read', (tx, { plugin }) =>
        listMessages(tx, plugin, { before, limit: count + 1 }),
      );
      const messages = found.slice(0, count);
      const last = messages.at(-1);
      return {
        messages: messages.map(presentMessage),
        nextCursor: found.length > count && last ? encodeCursor([last.id]) : null,
      };
    },

    remove: async ({ id }, caller, context) => {
      const removed = await inPlugin(caller, id, 'agent.write', async (tx, { plugin, agentName }) => {
        await store.deletePlugin(tx, plugin.organizationId, id);
        await recordAudit(tx, caller, context, {
          organizationId: plugin.organizationId,
          action: 'plugin.remove',
          target: { id, name: agentName },
          before: { type: plugin.type },
        });
        return plugin;
      });
      await leaveService(deps, removed);
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
