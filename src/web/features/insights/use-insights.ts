import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InsightPeriod, ReportPace } from '../../../contract/insight-periods.ts';
import { laterApi } from '../../api/later-api.ts';
import { download } from '../../download.ts';
import { timeZone } from '../../time-zone.ts';

const meta = { failure: 'getInsights', quiet: true } as const;

/** People write at any time, so cached data is never considered fresh. */
export function useInsight(agentId: string, period: InsightPeriod) {
  return useQuery({
    queryKey: ['insight', agentId, period],
    queryFn: async ({ signal }) =>
      (await laterApi.insight.get({ agentId, period, timeZone: timeZone() }, { signal })).insight,
    staleTime: 0,
    meta,
  });
}

export function useUserInsight(agentId: string, userId: string, period: InsightPeriod) {
  return useQuery({
    queryKey: ['insight', agentId, period, userId],
    queryFn: async ({ signal }) =>
      (await laterApi.insight.getUser({ agentId, userId, period, timeZone: timeZone() }, { signal })).insight,
    staleTime: 0,
    meta,
  });
}

export function useOrganizationInsight(organizationId: string, period: InsightPeriod) {
  return useQuery({
    queryKey: ['insight', organizationId, period],
    queryFn: async ({ signal }) =>
      (await laterApi.insight.getOrganization({ organizationId, period, timeZone: timeZone() }, { signal }))
        .insight,
    staleTime: 0,
    meta,
  });
}

/** Whether the reader gets an organization's numbers by email. */
export function useReport(organizationId: string) {
  const queries = useQueryClient();
  const queryKey = ['insight-report', organizationId];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await laterApi.insight.getReport({ organizationId }, { signal })).report.every,
    meta,
  });
  const change = useMutation({
    mutationFn: (every: ReportPace | null) =>
      laterApi.insight.setReport({ organizationId, every, timeZone: timeZone() }),
    onSettled: () => queries.invalidateQueries({ queryKey }),
    meta: { failure: 'updateInsights' },
  });
  return { every: data, change };
}

/** Whose numbers a page shows. */
export type Subject = { agentId: string } | { organizationId: string };

/** Saves the page's data as a file. */
export function useExport(subject: Subject, period: InsightPeriod) {
  const chosen = { period, timeZone: timeZone() };
  return useMutation({
    mutationFn: () =>
      'agentId' in subject
        ? laterApi.insight.export({ ...subject, ...chosen })
        : laterApi.insight.exportOrganization({ ...subject, ...chosen }),
    onSuccess: (content) => download({ name: `insights-${period}.csv`, type: 'text/csv', content }),
    meta: { failure: 'getInsights' },
  });
}
