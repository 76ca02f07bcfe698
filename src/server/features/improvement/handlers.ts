import type { improvement as contract, NearPassage, QuestionCluster } from '../../../contract/improvement.ts';
import { CLUSTER_PASSAGES_SHOWN } from '../../../contract/limits.ts';
import { inAgent, type Agent } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Handlers, MemberCaller } from '../../call.ts';
import { decodeCursor, encodeCursor, readNumberAndId } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { readerIn, search, termsOfQuestions, vectorOf } from '../knowledge/search.ts';
import type { Around } from './around.ts';
import { cleanDraft, draftTask, draftText, NO_ANSWER, quoteOf } from './draft.ts';
import { changeGroups } from './grouping-store.ts';
import { keyOf, type AgentKey } from './keys.ts';
import * as store from './store.ts';
import { keepTestCase } from './test-case.ts';
import { topicHandlers } from './topic-handlers.ts';

export function improvementHandlers(deps: Deps, { write, keepPair }: Around): Handlers<typeof contract> {
  const { db } = deps;
  interface Named {
    id: string;
    clusterId: string;
  }

  /** The cluster with everything shown about it; a transaction never waits for the embedding model. */
  const look = async (
    caller: MemberCaller,
    { id, clusterId }: Named,
    permission: 'agent.read' | 'agent.write',
  ) => {
    const found = await inAgent(db, caller, id, permission, async (tx, agent) => {
      const key = keyOf(agent);
      const cluster = await requireCluster(tx, key, clusterId);
      return { agent, key, cluster, samples: await store.listSamples(tx, key, clusterId) };
    });
    const { key, cluster } = found;
    if (cluster.title === '') return { ...found, passages: [] };
    const vector = await vectorOf(deps, key.organizationId, cluster.title);
    const near = await db.in({ organizationId: key.organizationId }, (tx) =>
      search(readerIn(tx, key), cluster.title, { limit: CLUSTER_PASSAGES_SHOWN, vector }),
    );
    return { ...found, passages: near.passages.map(passageOf) };
  };

  /** Changes a cluster exclusively; a grouping in progress starts over. */
  const change = (
    caller: MemberCaller,
    { id, clusterId }: Named,
    work: (tx: Tx, cluster: store.StoredCluster, agent: Agent) => Promise<void>,
  ): Promise<{ cluster: QuestionCluster }> =>
    inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
      const key = keyOf(agent);
      await changeGroups(tx, key);
      const cluster = await store.lockCluster(tx, key, clusterId);
      if (!cluster) throw notFound();
      await work(tx, cluster, agent);
      return { cluster: await requireCluster(tx, key, clusterId) };
    });

  return {
    listClusters: async ({ id, state, search, cursor, count }, caller) => {
      const after = decodeCursor(cursor, readNumberAndId);
      return inAgent(db, caller, id, 'agent.read', async (tx, agent) => {
        const found = await store.listClusters(tx, keyOf(agent), { state, search, count: count + 1, after });
        const clusters = found.slice(0, count);
        const last = found.length > count ? clusters.at(-1) : undefined;
        return { clusters, nextCursor: last ? encodeCursor([last.count, last.id]) : null };
      });
    },

    getCluster: async (named, caller) => {
      const { cluster, samples, passages } = await look(caller, named, 'agent.read');
      return { cluster, samples, passages };
    },

    draftAnswer: async (named, caller, { signal }) => {
      const { agent, cluster, samples, passages } = await look(caller, named, 'agent.write');
      const [best] = passages;
      if (!best) return { answer: '', by: 'nobody' };
      const questions = [...new Set([cluster.title, ...samples.map(({ text }) => text)])];
      const task = { task: draftTask, text: draftText(questions, passages), clean: cleanDraft };
      const written = await write(agent, task, signal);
      if (written === undefined) return { answer: quoteOf(best), by: 'passage' };
      return written.includes(NO_ANSWER) ? { answer: '', by: 'nobody' } : { answer: written, by: 'model' };
    },

    approveAnswer: async ({ question, answer, ...named }, caller, context) => {
      const [read] = await termsOfQuestions([{ text: question, before: null }]);
      return change(caller, named, async (tx, cluster, agent) => {
        const pair = { knowledgeId: cluster.knowledgeId, question, answer };
        const knowledgeId = await keepPair(tx, agent, pair, { caller, context });
        const testCaseId = await keepTestCase(tx, agent, { testCaseId: cluster.testCaseId, question });
        const answeredAt = new Date();
        const made = { state: 'answered', question, terms: read?.terms ?? {}, reason: '' } as const;
        await store.updateCluster(tx, keyOf(agent), cluster.id, {
          ...made,
          knowledgeId,
          testCaseId,
          answeredAt,
        });
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'improvement.approveAnswer',
          target: { id: cluster.id, name: question },
          after: { agent: agent.name, question, answer },
        });
      });
    },

    dismissCluster: ({ reason, ...named }, caller, context) =>
      change(caller, named, async (tx, cluster, agent) => {
        await store.updateCluster(tx, keyOf(agent), cluster.id, { state: 'dismissed', reason });
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'improvement.dismissCluster',
          // Without the askers' words, which may have to be erased.
          target: { id: cluster.id, name: agent.name },
          before: { state: cluster.state, reason: cluster.reason },
          after: { state: 'dismissed', reason },
        });
      }),

    reopenCluster: (named, caller, context) =>
      change(caller, named, async (tx, cluster, agent) => {
        await store.updateCluster(tx, keyOf(agent), cluster.id, { state: 'open', reason: '' });
        await recordAudit(tx, caller, context, {
          organizationId: agent.organizationId,
          action: 'improvement.reopenCluster',
          target: { id: cluster.id, name: agent.name },
          before: { state: cluster.state, reason: cluster.reason },
          after: { state: 'open', reason: '' },
        });
      }),

    ...topicHandlers(deps, write),
  };
}

async function requireCluster(tx: Tx, key: AgentKey, id: string): Promise<QuestionCluster> {
  const cluster = await store.findCluster(tx, key, id);
  if (!cluster) throw notFound();
  return cluster;
}

function passageOf({ chunkId, sourceId, knowledgeId, title, text }: NearPassage): NearPassage {
  return { chunkId, sourceId, knowledgeId, title, text };
}
