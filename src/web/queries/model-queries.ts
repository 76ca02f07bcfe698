import { queryOptions } from '@tanstack/react-query';
import { laterApi } from '../api/later-api.ts';

/** Queries for the screens about models. Changing a provider invalidates everything under `models`. */

export const modelsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['models', organizationId],
    queryFn: async ({ signal }) => (await laterApi.model.list({ organizationId }, { signal })).models,
    meta: { failure: 'getModels', quiet: true },
  });

export const modelProvidersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['models', organizationId, 'providers'],
    queryFn: async ({ signal }) =>
      (await laterApi.model.listProviders({ organizationId }, { signal })).providers,
    meta: { failure: 'getModels', quiet: true },
  });
