import { useQueries, useQuery } from '@tanstack/react-query';
import type { PublicAgent } from '../../../contract/chatbot.ts';
import { api } from '../../api/api.ts';
import { agentsQuery, organizationsQuery, publicAgentQuery } from '../../queries/queries.ts';
import { isNotFound } from '../../queries/query-props.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';

const DEMO_HANDLE = 'parley';

/**
 * The agents one can leave a message for: the one in the address, those of the person's first organization, those they
 * have spoken with and still may, and the one that introduces Parley.
 */
export function useAgents(asked: string | undefined) {
  const { status, user } = useStore(sessionState);
  const isMember = user?.isMember === true;
  const organizations = useQuery({ ...organizationsQuery(), enabled: isMember });
  const organizationId = organizations.data?.[0]?.id ?? '';
  const own = useQuery({ ...agentsQuery(organizationId), enabled: organizationId !== '' });
  const spoken = useQuery({
    queryKey: ['conversations', 'agents'],
    queryFn: async ({ signal }) => (await api.chat.list({ count: 100 }, { signal })).conversations,
    enabled: status === 'signed-in',
    meta: { failure: 'getConversations', quiet: true },
  });
  const wanted = useQuery({ ...publicAgentQuery(asked ?? ''), enabled: asked !== undefined, retry: false });
  const demo = useQuery({ ...publicAgentQuery(DEMO_HANDLE), retry: false });
  // An agent may be private or deleted by now: earlier messages stay the person's, but it receives no new ones.
  const before = distinct((spoken.data ?? []).map(({ agent }) => agent));
  const still = useQueries({
    queries: before.map(({ id }) => ({ ...publicAgentQuery(id), retry: false })),
  });
  const all = [wanted.data, ...(own.data ?? []), ...still.map(({ data }) => data), demo.data];
  const reads = [organizations, own, spoken, ...still, wanted, demo];
  const agents = distinct(all);
  const failed = (agents.length === 0 ? reads : [wanted]).filter(
    ({ data, error }) => !data && isFailure(error),
  );
  return {
    agents,
    isLoading: status === 'loading' || reads.some((read) => read.isLoading),
    /** The agent in the address is private, or does not exist. */
    isMissing: isNotFound(wanted.error),
    /** The possible recipients are unknown. No other agent replaces the requested one. */
    unread: failed[0] && { error: failed[0].error, retry: () => void failed.map((read) => read.refetch()) },
  };
}

function isFailure(error: unknown): boolean {
  return error !== null && !isNotFound(error);
}

function distinct(agents: (Pick<PublicAgent, 'id' | 'name'> | undefined)[]) {
  const known = agents.filter((agent) => agent !== undefined);
  return [...new Map(known.map(({ id, name }) => [id, { id, name }])).values()];
}
