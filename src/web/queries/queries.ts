import { queryOptions } from '@tanstack/react-query';
import { api, backgroundApi } from '../api/api.ts';
import { identityApi } from '../session/session.ts';

/** The screens' queries, each under the key that also invalidates it. */

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

/** The number of conversations waiting for a person. The socket reports changes; missed ones are found by polling. */
export const waitingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['inbox', organizationId, 'count'],
    queryFn: async ({ signal }) =>
      (await backgroundApi.inbox.list({ organizationId, view: 'waiting', count: 1 }, { signal })).waiting,
    refetchInterval: 30_000,
    meta: { failure: 'getInbox', quiet: true },
  });

export const publicAgentQuery = (idOrHandle: string) =>
  queryOptions({
    queryKey: ['public-agent', idOrHandle],
    queryFn: async ({ signal }) => (await api.chatbot.getPublic({ idOrHandle }, { signal })).agent,
    meta: { failure: 'getAgent', quiet: true },
  });

/** This installation's sign-in methods. */
export const providersQuery = () =>
  queryOptions({
    queryKey: ['providers'],
    queryFn: ({ signal }) => identityApi.providers({}, { signal }),
    staleTime: Infinity,
    meta: { failure: 'signIn', quiet: true },
  });
