import { queryOptions } from '@tanstack/react-query';
import type { ListedKnowledge } from '../../contract/knowledge.ts';
import { needsSecret } from '../../contract/tool-secret.ts';
import type { Tool } from '../../contract/tool.ts';
import { api } from '../api/api.ts';
import { laterApi } from '../api/later-api.ts';
import { timeZone } from '../time-zone.ts';
import { announceFailure } from './query-client.ts';

/** Queries used by several screens of an agent, and by no first page. */

/** The last seven days and the seven before. */
export const weekQuery = (organizationId: string, id: string) =>
  queryOptions({
    queryKey: ['agents', organizationId, id, 'week'],
    queryFn: ({ signal }) => api.chatbot.week({ id, organizationId, timeZone: timeZone() }, { signal }),
    meta: { failure: 'getChatbot', quiet: true },
  });

/** How often to poll a run of tests in progress. */
export const RUNNING_POLL_MS = 1000;

export const testSetsQuery = (key: { id: string; organizationId: string }) =>
  queryOptions({
    queryKey: ['tests', key.id],
    queryFn: async ({ signal }) => (await laterApi.testSet.list(key, { signal })).testSets,
    refetchInterval: ({ state }) =>
      state.data?.some(({ lastRun }) => lastRun?.state === 'running') ? RUNNING_POLL_MS : false,
    meta: { failure: 'getTests', quiet: true },
  });

export const testSetQuery = (key: { id: string; organizationId: string; testSetId: string }) =>
  queryOptions({
    queryKey: ['tests', key.id, key.testSetId],
    queryFn: ({ signal }) => laterApi.testSet.get(key, { signal }),
    meta: { failure: 'getTests', quiet: true },
  });

export const toolsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['tools', agentId],
    queryFn: async ({ signal }) => (await laterApi.tool.list({ agentId }, { signal })).tools,
    meta: { failure: 'getTools', quiet: true },
  });

/** Whether it can't be called because its secret is still missing. */
export function isWithoutSecret({ authentication, hasSecret }: Tool): boolean {
  return !hasSecret && needsSecret(authentication);
}

/** Where else an agent is available. */
export const pluginsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['plugins', agentId],
    queryFn: async ({ signal }) => (await laterApi.plugin.list({ chatbotId: agentId }, { signal })).plugins,
    meta: { failure: 'getPlugins', quiet: true },
  });

/** Includes its operations. */
export const toolQuery = (agentId: string, id: string) =>
  queryOptions({
    queryKey: ['tools', agentId, id],
    queryFn: ({ signal }) => laterApi.tool.get({ id }, { signal }),
    meta: { failure: 'getTools', quiet: true },
  });

/** A pricing plan. */
export const productQuery = (agentId: string, id: string) =>
  queryOptions({
    queryKey: ['products', agentId, id],
    queryFn: async ({ signal }) => (await laterApi.product.get({ id }, { signal })).product,
    meta: { failure: 'getProducts', quiet: true },
  });

export interface AllKnowledge {
  items: ListedKnowledge[];
  /** Why `items` is empty although there may be knowledge. */
  error: unknown;
}

/** Returns an empty list on error, as specified, along with the error. */
export const allKnowledgeQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['knowledge', agentId],
    queryFn: async ({ signal }): Promise<AllKnowledge> => {
      try {
        const { allKnowledge } = await laterApi.knowledge.list({ id: agentId }, { signal });
        return { items: allKnowledge, error: null };
      } catch (error) {
        if (signal.aborted) throw error;
        announceFailure(error, { failure: 'getAllKnowledge' });
        return { items: [], error };
      }
    },
  });

export const knowledgeQuery = (agentId: string, knowledgeId: string) =>
  queryOptions({
    queryKey: ['knowledge', agentId, knowledgeId],
    queryFn: async ({ signal }) =>
      (await laterApi.knowledge.get({ id: agentId, knowledgeId }, { signal })).knowledge,
    meta: { failure: 'getKnowledge', quiet: true },
  });
