import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** The usage of an organization's plan. */
export const usageQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['usage', organizationId],
    queryFn: async ({ signal }) => (await api.billing.getUsage({ organizationId }, { signal })).usage,
    meta: { failure: 'getUsage', quiet: true },
  });

/** How the plan is paid; for owners. */
export const subscriptionQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['subscription', organizationId],
    queryFn: async ({ signal }) =>
      (await api.billing.getSubscription({ organizationId }, { signal })).subscription,
    meta: { failure: 'getSubscription', quiet: true },
  });
