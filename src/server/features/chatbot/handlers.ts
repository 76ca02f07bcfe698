import type { chatbot as contract } from '../../../contract/chatbot.ts';
import { inOrganization, mayChatWith, organizationOf } from '../../access/gate.ts';
import { chatbotOf, publicAgentOf } from '../../access/present-agent.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers } from '../../call.ts';
import { newAgent } from './new-agent.ts';
import * as store from './store.ts';

export function chatbotHandlers({ db }: Deps): Handlers<typeof contract> {
  return {
    list: async ({ organizationId }, caller) => {
      const agents = await inOrganization(db, caller, organizationId, 'agent.read', (tx) =>
        store.listAgents(tx, organizationId),
      );
      return { chatbots: agents.map(chatbotOf) };
    },

    get: async ({ id, organizationId }, caller) => {
      const found = await inOrganization(db, caller, organizationId, 'agent.read', (tx) =>
        store.findAgent(tx, organizationId, id),
      );
      if (!found) throw notFound();
      return { chatbot: chatbotOf(found) };
    },

    create: async ({ organizationId, name, profilePhoto }, caller) => {
      const made = await inOrganization(db, caller, organizationId, 'agent.write', (tx) =>
        store.insertAgent(tx, newAgent(organizationId, name, profilePhoto)),
      );
      return { chatbot: chatbotOf(made) };
    },

    update: async ({ id, organizationId, version, ...changes }, caller) => {
      const changed = await inOrganization(db, caller, organizationId, 'agent.write', async (tx) => {
        const saved = await store.updateAgent(tx, organizationId, id, changes, version);
        if (saved) return saved;
        if (await store.findAgent(tx, organizationId, id)) throw new AppError('resource/conflict');
        throw notFound();
      });
      return { chatbot: chatbotOf(changed) };
    },

    remove: async ({ id, organizationId }, caller) => {
      const gone = await inOrganization(db, caller, organizationId, 'agent.write', (tx) =>
        store.updateAgent(tx, organizationId, id, { deletedAt: new Date() }),
      );
      if (!gone) throw notFound();
      return { deleted: true };
    },

    getPublic: async ({ idOrHandle }, caller) => {
      const byId = idOrHandle.startsWith('agt_');
      const organizationId = await organizationOf(db, byId ? 'agent' : 'handle', idOrHandle);
      const found = await db.in({ organizationId }, async (tx) => {
        const agent = await (byId ? store.findAgent : store.findByHandle)(tx, organizationId, idOrHandle);
        return agent && (await mayChatWith(tx, agent, caller)) ? agent : undefined;
      });
      if (!found) throw notFound();
      return { agent: publicAgentOf(found) };
    },
  };
}
