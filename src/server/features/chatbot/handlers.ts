import type { chatbot as contract } from '../../../contract/chatbot.ts';
import { inOrganization, maySee, organizationOf } from '../../access/gate.ts';
import { chatbotOf, publicAgentOf } from '../../access/present-agent.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers } from '../../call.ts';
import { recordAudit } from '../audit/store.ts';
import { stopUnseenAnswers } from '../chat/store.ts';
import { requireOwnPhoto } from '../../images/photos.ts';
import { AGENT_PHOTO, newAgent } from './new-agent.ts';
import * as store from './store.ts';

export function chatbotHandlers({ db }: Deps): Handlers<typeof contract> {
  return {
    list: async ({ organizationId }, caller) => {
      const found = await inOrganization(db, caller, organizationId, 'agent.read', (tx, { agents }) =>
        store.listAgents(tx, organizationId, agents),
      );
      return { chatbots: found.map(chatbotOf) };
    },

    get: async ({ id, organizationId }, caller) => {
      const found = await inOrganization(db, caller, organizationId, 'agent.read', (tx, { agents }) =>
        store.findAgent(tx, organizationId, id, agents),
      );
      if (!found) throw notFound();
      return { chatbot: chatbotOf(found) };
    },

    create: async ({ organizationId, name, profilePhoto }, caller, context) => {
      const made = await inOrganization(db, caller, organizationId, 'agent.write', async (tx) => {
        requireOwnPhoto(profilePhoto, AGENT_PHOTO);
        const agent = await store.insertAgent(tx, newAgent(organizationId, name, profilePhoto));
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'chatbot.create',
          target: agent,
          after: { name },
        });
        return agent;
      });
      return { chatbot: chatbotOf(made) };
    },

    update: async ({ id, organizationId, version, ...changes }, caller, context) => {
      const changed = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.write',
        async (tx, { agents }) => {
          const before = await store.lockAgent(tx, organizationId, id, agents);
          if (!before) throw notFound();
          requireOwnPhoto(changes.profilePhoto, before.profilePhoto);
          const after = await store.updateAgent(tx, organizationId, id, changes, version);
          if (!after) throw new AppError('resource/conflict');
          if (before.isPublic && !after.isPublic) await stopUnseenAnswers(tx, organizationId);
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'chatbot.update',
            target: before,
            before,
            after,
          });
          return after;
        },
      );
      return { chatbot: chatbotOf(changed) };
    },

    remove: async ({ id, organizationId, permanently }, caller, context) => {
      await inOrganization(db, caller, organizationId, 'agent.write', async (tx, { agents }) => {
        const before = await store.lockAgent(tx, organizationId, id, agents, permanently);
        if (!before) throw notFound();
        if (permanently) await store.deleteAgent(tx, organizationId, id);
        else await store.updateAgent(tx, organizationId, id, { deletedAt: new Date() });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'chatbot.remove',
          target: before,
          before: { name: before.name },
          ...(permanently ? { after: { permanently } } : {}),
        });
      });
      return { deleted: true };
    },

    getPublic: async ({ idOrHandle }, caller) => {
      const byId = idOrHandle.startsWith('agt_');
      const organizationId = await organizationOf(db, byId ? 'agent' : 'handle', idOrHandle);
      const found = await db.in({ organizationId }, async (tx) => {
        const agent = await (byId ? store.findAgent : store.findByHandle)(tx, organizationId, idOrHandle);
        return agent && (await maySee(tx, agent, caller)) ? agent : undefined;
      });
      if (!found) throw notFound();
      return { agent: publicAgentOf(found) };
    },
  };
}
