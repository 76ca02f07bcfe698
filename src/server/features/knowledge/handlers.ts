import type { knowledge as contract } from '../../../contract/knowledge.ts';
import { inAgent, type Agent } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { deleteFile, findFiles } from '../file/store.ts';
import { newSources, titleOfText } from './new-sources.ts';
import { knowledgeOf, progressOf } from './present.ts';
import * as store from './store.ts';

export function knowledgeHandlers({ db, jobs }: Deps): Handlers<typeof contract> {
  return {
    list: async ({ id }, caller) => {
      const allKnowledge = await inAgent(db, caller, id, 'agent.read', (tx) => present(tx, id));
      return { allKnowledge };
    },

    get: async ({ id, knowledgeId }, caller) => {
      const knowledge = await inAgent(db, caller, id, 'agent.read', (tx) => presentOne(tx, id, knowledgeId));
      return { knowledge };
    },

    create: async (input, caller, context) => {
      const knowledge = await inAgent(db, caller, input.id, 'agent.write', async (tx, agent) => {
        requireOrganization(agent, input.organizationId);
        const files = await findFiles(tx, agent.organizationId, input.files);
        if (files.length !== new Set(input.files).size) throw notFound();
        const {
          id: agentId,
          organizationId,
          type,
          links,
        } = { ...input, organizationId: agent.organizationId };
        const item = {
          organizationId,
          agentId,
          type,
          links,
          text: input.text ?? null,
          description: input.description,
        };
        const knowledgeId = await store.insertKnowledge(tx, item, newSources(input, files));
        await jobs.enqueue(tx, 'knowledge.process', { organizationId, agentId, knowledgeId });
        const { description, text } = input;
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'knowledge.create',
          target: { id: knowledgeId, name: description },
          after: { agent: agent.name, type, description, text, links, files: files.map(({ name }) => name) },
        });
        return presentOne(tx, agentId, knowledgeId);
      });
      return { knowledge };
    },

    update: async ({ id, organizationId, knowledgeId, description }, caller, context) => {
      const knowledge = await inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
        requireOrganization(agent, organizationId);
        const item = await store.lockKnowledge(tx, id, knowledgeId);
        if (!item) throw notFound();
        await store.updateKnowledge(tx, knowledgeId, { description });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'knowledge.update',
          target: { id: knowledgeId, name: item.description },
          before: { description: item.description },
          after: { description },
        });
        if (item.type === 'text') {
          // An item without a title of its own: its description is the text.
          const source =
            item.text === null
              ? { title: titleOfText(description), text: description.trim() }
              : { title: description, text: item.text };
          await store.updateTextSource(tx, knowledgeId, source);
          await store.updateKnowledge(tx, knowledgeId, { state: 'queued', error: null });
          await jobs.enqueue(tx, 'knowledge.process', { organizationId, agentId: id, knowledgeId });
        }
        return presentOne(tx, id, knowledgeId);
      });
      return { knowledge };
    },

    remove: async ({ id, knowledgeId }, caller, context) => {
      await inAgent(db, caller, id, 'agent.write', async (tx, { organizationId, name }) => {
        const item = await store.lockKnowledge(tx, id, knowledgeId);
        const gone = await store.deleteKnowledge(tx, id, knowledgeId);
        if (!item || !gone) throw notFound();
        for (const fileId of gone.fileIds) {
          const storageKey = await deleteFile(tx, organizationId, fileId);
          if (storageKey) await jobs.enqueue(tx, 'file.remove', { storageKey });
        }
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'knowledge.remove',
          target: { id: knowledgeId, name: item.description },
          before: { agent: name, type: item.type, description: item.description },
        });
      });
      return { deleted: true };
    },

    progress: async ({ id }, caller) => {
      const items = await inAgent(db, caller, id, 'agent.read', (tx) => store.listKnowledge(tx, id));
      return { knowledgeProgress: progressOf(id, items) };
    },
  };
}

async function present(tx: Tx, agentId: string, knowledgeId?: string) {
  const items = await store.listKnowledge(tx, agentId, knowledgeId);
  const files = await store.listFiles(
    tx,
    items.map(({ id }) => id),
  );
  return items.map((item) => knowledgeOf(item, files.get(item.id) ?? []));
}

async function presentOne(tx: Tx, agentId: string, knowledgeId: string) {
  const [knowledge] = await present(tx, agentId, knowledgeId);
  if (!knowledge) throw notFound();
  return knowledge;
}

/** An agent named together with another organization does not exist there. */
function requireOrganization(agent: Agent, organizationId: string): void {
  if (agent.organizationId !== organizationId) throw notFound();
}
