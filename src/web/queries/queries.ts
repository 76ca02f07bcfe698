import { queryOptions } from '@tanstack/react-query';
import type { ListedKnowledge } from '../../contract/knowledge.ts';
import { api, backgroundApi } from '../api/api.ts';
import { announceFailure } from './query-client.ts';

/** What the screens read, each under the key by which it is also made stale. */

export const organizationsQuery = () =>
  queryOptions({
    queryKey: ['organizations'],
    queryFn: async ({ signal }) => (await api.organization.list({}, { signal })).organizations,
    meta: { failure: 'getOrganization' },
  });

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organizations', id],
    queryFn: async ({ signal }) => (await api.organization.get({ id }, { signal })).organization,
    meta: { failure: 'getOrganization' },
  });

/** The caller's own role in an organization. */
export const roleQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['role', orgId],
    queryFn: async ({ signal }) => (await backgroundApi.organization.selfRole({ orgId }, { signal })).role,
    meta: { failure: 'getUserRole', quiet: true },
  });

export const agentsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['agents', organizationId],
    queryFn: async ({ signal }) => (await api.chatbot.list({ organizationId }, { signal })).chatbots,
    meta: { failure: 'getChatbots' },
  });

export const agentQuery = (organizationId: string, id: string) =>
  queryOptions({
    queryKey: ['agents', organizationId, id],
    queryFn: async ({ signal }) => (await api.chatbot.get({ id, organizationId }, { signal })).chatbot,
    meta: { failure: 'getChatbot', quiet: true },
  });

export const testSetQuery = (key: { id: string; organizationId: string; testSetId: string }) =>
  queryOptions({
    queryKey: ['tests', key.id, key.testSetId],
    queryFn: ({ signal }) => api.testSet.get(key, { signal }),
    meta: { failure: 'getTests', quiet: true },
  });

/** How many wait for a person. The socket tells of a change; whoever missed that looks for it. */
export const waitingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['inbox', organizationId, 'count'],
    queryFn: async ({ signal }) =>
      (await backgroundApi.inbox.list({ organizationId, view: 'waiting', count: 1 }, { signal })).waiting,
    refetchInterval: 30_000,
    meta: { failure: 'getInbox', quiet: true },
  });

/** With what it can do. */
export const toolQuery = (agentId: string, id: string) =>
  queryOptions({
    queryKey: ['tools', agentId, id],
    queryFn: ({ signal }) => api.tool.get({ id }, { signal }),
    meta: { failure: 'getTools', quiet: true },
  });

/** A pricing plan. */
export const productQuery = (agentId: string, id: string) =>
  queryOptions({
    queryKey: ['products', agentId, id],
    queryFn: async ({ signal }) => (await api.product.get({ id }, { signal })).product,
    meta: { failure: 'getProducts', quiet: true },
  });

/** Accounts at services that agents use for the caller. */
export const ownAccountsQuery = () =>
  queryOptions({
    queryKey: ['own-accounts'],
    queryFn: async ({ signal }) => (await api.toolAccount.list({}, { signal })).accounts,
    meta: { failure: 'getAccounts', quiet: true },
  });

export const publicAgentQuery = (idOrHandle: string) =>
  queryOptions({
    queryKey: ['public-agent', idOrHandle],
    queryFn: async ({ signal }) => (await api.chatbot.getPublic({ idOrHandle }, { signal })).agent,
    meta: { failure: 'getAgent', quiet: true },
  });

export interface AllKnowledge {
  items: ListedKnowledge[];
  /** Why `items` is empty although there may be knowledge. */
  error: unknown;
}

/** Answers an empty list on error, as the specification has it, and says so beside it. */
export const allKnowledgeQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['knowledge', agentId],
    queryFn: async ({ signal }): Promise<AllKnowledge> => {
      try {
        const { allKnowledge } = await api.knowledge.list({ id: agentId }, { signal });
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
      (await api.knowledge.get({ id: agentId, knowledgeId }, { signal })).knowledge,
    meta: { failure: 'getKnowledge', quiet: true },
  });
