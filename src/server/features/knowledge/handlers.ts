import type { knowledge as contract } from '../../../contract/knowledge.ts';
import { inAgent } from '../../access/gate.ts';
import { AppError } from '../../app-error.ts';
import { callerId, type Handlers, type MemberCaller, type RequestContext } from '../../call.ts';
import { cutPart, partOf, readId } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { createItem, type NewItemInput } from './create.ts';
import { editItem } from './edit.ts';
import {
  agentKey,
  itemKey,
  openItem,
  presentItem,
  presentItems,
  requireOrganization,
  titleOfItem,
} from './item.ts';
import { progressOf } from './present.ts';
import { tryQuestion } from './search/retrieval.ts';
import * as revisions from './revisions/revision-store.ts';
import { canResync } from './schedule.ts';
import { reopenFailed } from './source-store.ts';
import * as store from './store.ts';
import { beginSync } from './sync.ts';

export function knowledgeHandlers(deps: Deps): Handlers<typeof contract> {
  const { db, jobs } = deps;
  const add = (input: NewItemInput, caller: MemberCaller, context: RequestContext) =>
    inAgent(db, caller, input.id, 'agent.write', async (tx, agent) => {
      if (input.organizationId !== undefined) requireOrganization(agent, input.organizationId);
      const key = await createItem(tx, deps, agent, input, { caller, context });
      return { knowledge: await presentItem(tx, key) };
    });

  return {
    list: async ({ id, ...asked }, caller) => {
      const part = partOf(asked, readId);
      const found = await inAgent(db, caller, id, 'agent.read', (tx, agent) =>
        presentItems(tx, agentKey(agent), part),
      );
      const { rows: allKnowledge, nextCursor } = cutPart(found, part, (item) => [item.id]);
      return { allKnowledge, nextCursor };
    },

    get: async ({ id, knowledgeId }, caller) => {
      const knowledge = await inAgent(db, caller, id, 'agent.read', (tx, agent) =>
        presentItem(tx, itemKey(agent, knowledgeId)),
      );
      return { knowledge };
    },

    create: add,

    addProduct: ({ id, type, links, description }, caller, context) =>
      add({ id, type, links, description, files: [], schedule: 'manual' }, caller, context),

    update: async ({ id, organizationId, knowledgeId, ...changes }, caller, context) => {
      const knowledge = await inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
        requireOrganization(agent, organizationId);
        const key = itemKey(agent, knowledgeId);
        await editItem(tx, deps, key, changes, { caller, context });
        return presentItem(tx, key);
      });
      return { knowledge };
    },

    remove: async ({ id, knowledgeId }, caller, context) => {
      await inAgent({ ...db, in: db.lengthy }, caller, id, 'agent.write', async (tx, agent) => {
        const key = itemKey(agent, knowledgeId);
        const item = await openItem(tx, key);
        const name = await titleOfItem(tx, key);
        await store.deleteKnowledge(tx, key);
        await recordAudit(tx, caller, context, {
          organizationId: key.organizationId,
          action: 'knowledge.remove',
          target: { id: knowledgeId, name },
          before: { agent: agent.name, type: item.type, description: item.description },
        });
      });
      return { deleted: true };
    },

    progress: async ({ id }, caller) => {
      const items = await inAgent(db, caller, id, 'agent.read', (tx, agent) =>
        store.listProgress(tx, agentKey(agent)),
      );
      return { knowledgeProgress: progressOf(id, items) };
    },

    resync: async ({ id, knowledgeId }, caller) => {
      const knowledge = await inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
        const key = itemKey(agent, knowledgeId);
        const item = await openItem(tx, key);
        if (!canResync(item))
          throw new AppError('request/invalid', 'Only items read from addresses can be re-synced.');
        await beginSync(tx, jobs, key, item, { cause: 'synced', createdBy: callerId(caller) });
        return presentItem(tx, key);
      });
      return { knowledge };
    },

    retry: async ({ id, knowledgeId }, caller) => {
      const knowledge = await inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
        const key = itemKey(agent, knowledgeId);
        const item = await openItem(tx, key);
        const open = await revisions.findOpenRevision(tx, key);
        // Nothing of the item is read until that is decided: it would stay queued forever.
        if (open?.state === 'held')
          throw new AppError('resource/conflict', 'One of its revisions needs a decision first.');
        const reopened = await reopenFailed(tx, key, open?.number);
        if (reopened > 0 || item.state === 'failed') {
          if (item.state === 'failed')
            await revisions.updateRevision(tx, key, item.revision, { state: 'building' });
          await store.setState(tx, key, 'queued', null);
          await jobs.enqueue(tx, 'knowledge.process', key);
        }
        return presentItem(tx, key);
      });
      return { knowledge };
    },

    tryQuestion: async ({ id, question }, caller, { signal }) => {
      // Permission is checked before the question goes to a model, and no connection waits for its response.
      const agent = await inAgent(db, caller, id, 'agent.read', async (_tx, found) => found);
      return { retrieval: await tryQuestion(deps, agent, question, signal) };
    },
  };
}
