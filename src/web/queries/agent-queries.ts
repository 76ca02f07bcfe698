import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { timeZone } from '../time-zone.ts';

/** What several screens of an agent read, and no first page. */

/** The last seven days beside the seven before. */
export const weekQuery = (organizationId: string, id: string) =>
  queryOptions({
    queryKey: ['agents', organizationId, id, 'week'],
    queryFn: ({ signal }) => api.chatbot.week({ id, organizationId, timeZone: timeZone() }, { signal }),
    meta: { failure: 'getChatbot', quiet: true },
  });

export const testSetsQuery = (key: { id: string; organizationId: string }) =>
  queryOptions({
    queryKey: ['tests', key.id],
    queryFn: async ({ signal }) => (await api.testSet.list(key, { signal })).testSets,
    meta: { failure: 'getTests', quiet: true },
  });
