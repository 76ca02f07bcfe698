import type { improvement as contract } from '../../../contract/improvement.ts';
import { inAgent } from '../../access/gate.ts';
import { invalidField, notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import type { Around } from './around.ts';
import { changeGroups } from './grouping-store.ts';
import { keyOf } from './keys.ts';
import { nameTopics } from './name-topics.ts';
import * as store from './topic-store.ts';

type Topics = Pick<Handlers<typeof contract>, 'listTopics' | 'updateTopic' | 'mergeTopic' | 'nameTopics'>;

export function topicHandlers({ db }: Pick<Deps, 'db'>, write: Around['write']): Topics {
  return {
    listTopics: ({ id, days }, caller) =>
      inAgent(db, caller, id, 'agent.read', (tx, agent) => store.listShares(tx, keyOf(agent), days)),

    updateTopic: async ({ id, topicId, name, frozen }, caller, context) =>
      inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
        const key = keyOf(agent);
        await changeGroups(tx, key);
        const topic = await store.lockTopic(tx, key, topicId);
        if (!topic) throw notFound();
        const after = {
          name: name ?? topic.name,
          named: name === undefined ? topic.named : ('member' as const),
          frozen: frozen ?? topic.frozen,
        };
        await store.updateTopic(tx, key, topicId, after);
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'improvement.updateTopic',
          target: { id: topicId, name: givenName(after) ?? agent.name },
          before: { name: givenName(topic), frozen: topic.frozen },
          after: { name: givenName(after), frozen: after.frozen },
        });
        return { updated: true };
      }),

    mergeTopic: async ({ id, topicId, intoId }, caller, context) =>
      inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
        const key = keyOf(agent);
        await changeGroups(tx, key);
        const topic = await store.lockTopic(tx, key, topicId);
        const into = await store.lockTopic(tx, key, intoId);
        if (!topic || !into) throw notFound();
        if (topicId === intoId) throw invalidField('intoId', 'A topic cannot be merged into itself.');
        await store.mergeTopics(tx, key, topicId, intoId);
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'improvement.mergeTopic',
          target: { id: topicId, name: givenName(topic) ?? agent.name },
          before: { name: givenName(topic) },
          after: { name: givenName(into), mergedInto: intoId },
        });
        return { merged: true };
      }),

    nameTopics: async ({ id }, caller, context) => ({
      named: await nameTopics(db, write, { id, caller, context }),
    }),
  };
}

/** A name given by a member. All others consist of the askers' words, which may have to be erased. */
function givenName({ name, named }: Pick<store.StoredTopic, 'name' | 'named'>): string | null {
  return named === 'member' ? name : null;
}
