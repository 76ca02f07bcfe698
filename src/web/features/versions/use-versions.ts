import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { version } from '../../../contract/version.ts';
import type { InputOf } from '../../../contract/route.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { agentQuery } from '../../queries/queries.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';

const keyOf = (organizationId: string, id: string) => ['agents', organizationId, id, 'versions'];

/** Newest first. */
export function useVersions(search = '') {
  const organizationId = useOrgId();
  const id = useAgentId();
  return useInfiniteQuery({
    queryKey: [...keyOf(organizationId, id), 'found', search],
    queryFn: ({ pageParam, signal }) =>
      laterApi.version.list(
        { id, organizationId, ...(search && { search }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { failure: 'getVersions', quiet: true },
  });
}

export const versionQuery = (organizationId: string, id: string, number: number) =>
  queryOptions({
    queryKey: [...keyOf(organizationId, id), number],
    queryFn: async ({ signal }) =>
      (await laterApi.version.get({ id, organizationId, number }, { signal })).version,
    meta: { failure: 'getVersions', quiet: true },
  });

/** What blocks a version's publication. */
export const gatesQuery = (organizationId: string, id: string, number: number) =>
  queryOptions({
    queryKey: [...keyOf(organizationId, id), number, 'gates'],
    queryFn: async ({ signal }) =>
      (await laterApi.version.gates({ id, organizationId, number }, { signal })).gates,
    meta: { failure: 'getVersions', quiet: true },
    staleTime: 0,
  });

/** Reloads everything about the agent: it may be different now. */
async function refresh(queryClient: QueryClient, organizationId: string, id: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: agentQuery(organizationId, id).queryKey });
}

type Publishing = Omit<InputOf<typeof version.publish>, 'id' | 'organizationId'>;

export function usePublish(onDone: () => void) {
  const organizationId = useOrgId();
  const id = useAgentId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (publishing: Publishing) => laterApi.version.publish({ id, organizationId, ...publishing }),
    onSuccess: ({ version: { number } }) => {
      toast.success({ title: t('versions.publishDone', { number }) });
      onDone();
    },
    onError: (error) => announceFailure(error),
    onSettled: () => refresh(queryClient, organizationId, id),
    meta: { failure: 'publishVersion', quiet: true },
  });
}

export function useRestore(onDone: () => void) {
  const organizationId = useOrgId();
  const id = useAgentId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (number: number) => laterApi.version.restore({ id, organizationId, number }),
    onSuccess: ({ chatbot }) => {
      toast.success({ title: t('versions.restored', { number: chatbot.version }) });
      onDone();
    },
    onSettled: () => refresh(queryClient, organizationId, id),
    meta: { failure: 'updateChatbot' },
  });
}

export function useAnnotate() {
  const organizationId = useOrgId();
  const id = useAgentId();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ number, note }: { number: number; note: string }) =>
      laterApi.version.annotate({ id, organizationId, number, note }),
    onSuccess: () => toast.success({ title: t('ui.saved') }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(organizationId, id) }),
    meta: { failure: 'updateChatbot' },
  });
}
