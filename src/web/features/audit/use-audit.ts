import { useInfiniteQuery } from '@tanstack/react-query';
import { laterApi } from '../../api/later-api.ts';

/** The log's filter; an empty field matches everything. */
export interface AuditFilter extends Record<string, string> {
  action: string;
  actorId: string;
  /** Days, in the format of date inputs. */
  from: string;
  to: string;
  search: string;
}

export const wholeLog: AuditFilter = { action: '', actorId: '', from: '', to: '', search: '' };

export function useAudit(organizationId: string, filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', organizationId, filter],
    queryFn: ({ pageParam, signal }) =>
      laterApi.audit.list(
        { organizationId, ...inputOf(filter), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { failure: 'getAudit', quiet: true },
  });
}

/** The filter as API input: days become times in the local time zone, the last day included. */
export function inputOf({ action, actorId, from, to, search }: AuditFilter) {
  const last = to ? new Date(`${to}T00:00:00`) : null;
  last?.setDate(last.getDate() + 1);
  return {
    ...(action && { action }),
    ...(actorId && { actorId }),
    ...(search && { search }),
    ...(from && { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(last && { to: last.toISOString() }),
  };
}
