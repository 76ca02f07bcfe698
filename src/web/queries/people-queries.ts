import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { laterApi } from '../api/later-api.ts';

/** Queries for the screens about people. */

export const profileQuery = (uid: string) =>
  queryOptions({
    queryKey: ['profile', uid],
    queryFn: async ({ signal }) => (await api.user.get({ id: uid }, { signal })).user,
    meta: { failure: 'getUser', quiet: true },
  });

export const onboardingQuery = () =>
  queryOptions({
    queryKey: ['onboarding'],
    queryFn: async ({ signal }) => (await api.user.getOnboarding({}, { signal })).onboarding,
    staleTime: 0,
    meta: { failure: 'getOnboarding', quiet: true },
  });

export const membersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['members', orgId],
    queryFn: async ({ signal }) => (await api.member.list({ orgId }, { signal })).members,
    meta: { failure: 'getMembers', quiet: true },
  });

export const memberQuery = (orgId: string, id: string) =>
  queryOptions({
    queryKey: ['members', orgId, id],
    queryFn: async ({ signal }) => (await api.member.get({ id }, { signal })).member,
    meta: { failure: 'getMember', quiet: true },
  });

export const invitesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['invites', orgId],
    queryFn: async ({ signal }) => (await api.member.listInvites({ orgId }, { signal })).invites,
    meta: { failure: 'getInvites', quiet: true },
  });

export const teamsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['teams', orgId],
    queryFn: async ({ signal }) => (await laterApi.team.list({ orgId }, { signal })).teams,
    meta: { failure: 'getTeams', quiet: true },
  });

export const teamQuery = (orgId: string, id: string) =>
  queryOptions({
    queryKey: ['teams', orgId, id],
    queryFn: async ({ signal }) => (await laterApi.team.get({ id }, { signal })).team,
    meta: { failure: 'getTeam', quiet: true },
  });

export const apiKeysQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['api-keys', organizationId],
    queryFn: async ({ signal }) => (await laterApi.apiKey.list({ organizationId }, { signal })).apiKeys,
    meta: { failure: 'getApiKeys', quiet: true },
  });

/** Accounts at services that agents use for the caller. */
export const ownAccountsQuery = () =>
  queryOptions({
    queryKey: ['own-accounts'],
    queryFn: async ({ signal }) => (await laterApi.toolAccount.list({}, { signal })).accounts,
    meta: { failure: 'getAccounts', quiet: true },
  });
