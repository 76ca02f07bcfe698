import { Chatbot, type chatbot as contract } from '../../../contract/chatbot.ts';
import { errorTable } from '../../../contract/errors.ts';
import { inAgent, inOrganization, maySee, organizationOf } from '../../access/gate.ts';
import { requireRoom } from '../../access/quota.ts';
import { requireSeen } from '../../access/seen.ts';
import { chatbotOf, publicAgentOf } from '../../access/present-agent.ts';
import { AppError, noAgent } from '../../app-error.ts';
import { cutPart, partOf, readId } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import { callerId, type Handlers } from '../../call.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import { recordAudit } from '../audit/store.ts';
import { stopUnseenAnswers } from '../chat/store.ts';
import { keepImage, requireOwnPhoto } from '../../images/photos.ts';
import { readDraft } from '../version/store.ts';
import { addImage } from './image-store.ts';
import { draw, requireOwnImages } from './images.ts';
import { improve } from './improve.ts';
import { AGENT_PHOTO, newAgent } from './new-agent.ts';
import { saveChanges } from './save-changes.ts';
import * as store from './store.ts';
import { readWeeks } from './weeks.ts';

export function chatbotHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db } = deps;
  return {
    list: async ({ organizationId, ...asked }, caller) => {
      const part = partOf(asked, readId);
      const found = await inOrganization(db, caller, organizationId, 'agent.read', (tx, { agents }) =>
        store.listAgents(tx, organizationId, agents, part),
      );
      const { rows, nextCursor } = cutPart(found, part, ({ id }) => [id]);
      return { chatbots: rows.map(chatbotOf), nextCursor };
    },

    get: async ({ id, organizationId }, caller) => {
      const found = await inOrganization(db, caller, organizationId, 'agent.read', (tx, { agents }) =>
        store.findDraft(tx, organizationId, id, agents),
      );
      if (!found) throw noAgent();
      return { chatbot: chatbotOf(found) };
    },

    create: async ({ organizationId, name, profilePhoto }, caller, context) => {
      const made = await inOrganization(db, caller, organizationId, 'agent.write', async (tx) => {
        requireOwnPhoto(profilePhoto, AGENT_PHOTO);
        await requireRoom(tx, config, organizationId, 'agents');
        const values = newAgent(organizationId, name, profilePhoto);
        const agent = await store.insertAgent(tx, values, callerId(caller));
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

    update: async ({ id, organizationId, version, seen = {}, ...changes }, caller, context) => {
      const changed = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.write',
        async (tx, { agents }) => {
          const live = await store.lockAgent(tx, organizationId, id, agents);
          if (!live) throw noAgent();
          if (version !== undefined && version !== live.version) throw new AppError('resource/conflict');
          const before = await readDraft(tx, live);
          requireSeen(Chatbot.parse(chatbotOf(before)), seen, changes);
          await requireOwnImages(tx, before, changes);
          const after = await saveChanges(tx, live, before, changes, callerId(caller)).catch(handleTaken);
          if (before.isPublic && !after.isPublic) await stopUnseenAnswers(tx, organizationId, id);
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
      const within = permanently ? { in: db.lengthy } : db;
      await inOrganization(within, caller, organizationId, 'agent.write', async (tx, { agents }) => {
        const before = await store.lockAgent(tx, organizationId, id, agents, permanently);
        if (!before) throw noAgent();
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

    uploadImage: async ({ id, purpose, media }, caller) => {
      // Checked before the picture is opened, and again at the end: the role may be gone by then.
      await inAgent(db, caller, id, 'agent.write', async () => {});
      const url = await keepImage(deps, media, draw[purpose], async (address) => {
        await inAgent(db, caller, id, 'agent.write', (tx, agent) => addImage(tx, agent, address));
        return address;
      });
      return { url };
    },

    week: ({ id, organizationId, timeZone }, caller) =>
      inOrganization(db, caller, organizationId, 'agent.read', async (tx, { agents }) => {
        const agent = await store.findAgent(tx, organizationId, id, agents);
        if (!agent) throw noAgent();
        return readWeeks(tx, agent, timeZone);
      }),

    improveInstructions: async ({ id, organizationId, customInstructions }, caller, { signal }) => {
      const agent = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.write',
        async (tx, { agents }) => {
          const found = await store.findAgent(tx, organizationId, id, agents);
          if (!found) throw noAgent();
          return found;
        },
      );
      return { customInstructions: await improve(deps, agent, customInstructions, signal) };
    },

    getPublic: async ({ idOrHandle }, caller, { language }) => {
      const byId = idOrHandle.startsWith('agt_');
      const organizationId = await organizationOf(db, byId ? 'agent' : 'handle', idOrHandle);
      const found = await db.in({ organizationId }, async (tx) => {
        const agent = await (byId ? store.findAgent : store.findByHandle)(tx, organizationId, idOrHandle);
        return agent && (await maySee(tx, agent, caller)) ? agent : undefined;
      });
      if (!found) throw noAgent();
      return { agent: publicAgentOf(found, language()) };
    },
  };
}

function handleTaken(error: unknown): never {
  if (!isUniqueViolation(error, 'agent_handle')) throw error;
  const message = errorTable['chatbot/handle-taken'][1];
  throw new AppError('chatbot/handle-taken', message, { errors: [{ path: 'handle', message }] });
}
