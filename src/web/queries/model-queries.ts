import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** What the screens about models read. A change of a provider makes all under `models` stale. */

export const modelsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['models', organizationId],
    queryFn: async ({ signal }) => (await api.model.list({ organizationId }, { signal })).models,
    meta: { failure: 'getModels', quiet: true },
  });

export const modelProvidersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['models', organizationId, 'providers'],
    queryFn: async ({ signal }) => (await api.model.listProviders({ organizationId }, { signal })).providers,
    meta: { failure: 'getModels', quiet: true },
  });
