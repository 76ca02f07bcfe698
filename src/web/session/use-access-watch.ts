import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../contract/client.ts';
import { isId } from '../../contract/id-format.ts';
import type { Organization } from '../../contract/organization.ts';
import { lastOrganization } from './current-organization.ts';
import { t } from '../messages/t.ts';
import { organizationsQuery, roleQuery } from '../queries/queries.ts';
import { listen, socketConnected } from '../socket.ts';
import { toast } from '../toast.ts';

/** How often a visible page checks whether its person still belongs to the organization while the socket is disconnected. */
const ASK_MS = 3000;

/** The mutation key for leaving an organization. */
export const leaveKey = (orgId: string) => ['leave-organization', orgId];

/**
 * Leaves an organization's pages when the person has lost access to it, and follows changes to their role and teams.
 * The server refuses in any case: this is so that nobody keeps looking at what is no longer theirs.
 */
export function useAccessWatch(orgId: string | undefined): void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    if (!orgId || !isId('organization', orgId)) return;
    let isOver = false;
    const ask = async (hasChanged: boolean) => {
      // A person leaving on their own is already on the way out.
      if (queryClient.isMutating({ mutationKey: leaveKey(orgId) }) > 0) return;
      const name = nameOf(queryClient, orgId);
      const isGone = await hasLostAccess(queryClient, orgId);
      if (!isGone && hasChanged) await rereadAll(queryClient, orgId);
      if (!isGone || isOver) return;
      isOver = true;
      // Unsaved changes can't be saved any more: nobody is asked about them.
      await navigate({ to: '/platform', replace: true, ignoreBlocker: true });
      forget(queryClient, orgId, name);
    };
    const stop = onDoubt(queryClient, orgId, (hasChanged = false) => void ask(hasChanged));
    return () => {
      isOver = true;
      stop();
    };
  }, [orgId, queryClient, navigate]);
}

/** Calls `ask` whenever the person's permissions in an organization may have changed, with true if they have, until stopped. */
function onDoubt(queryClient: QueryClient, orgId: string, ask: (hasChanged?: boolean) => void): () => void {
  const askIfSeen = () => document.visibilityState === 'visible' && ask();
  const stopListening = listen(
    'membership.updated',
    ({ organizationId }) => {
      if (organizationId === orgId) ask(true);
      void queryClient.invalidateQueries({ queryKey: ['organizations'], exact: true });
    },
    // Events missed while disconnected are made up for by asking.
    () => ask(),
  );
  const timer = setInterval(() => !socketConnected.get() && askIfSeen(), ASK_MS);
  const stopLooking = queryClient.getQueryCache().subscribe((event) => {
    const failed = event.type === 'updated' && event.action.type === 'error' ? event.action.error : null;
    if (event.query.queryKey[0] !== 'role' && isRefusal(failed)) ask();
  });
  document.addEventListener('visibilitychange', askIfSeen);
  return () => {
    stopListening();
    clearInterval(timer);
    stopLooking();
    document.removeEventListener('visibilitychange', askIfSeen);
  };
}

async function hasLostAccess(queryClient: QueryClient, orgId: string): Promise<boolean> {
  try {
    await queryClient.fetchQuery({ ...roleQuery(orgId), staleTime: 0, retry: false });
    return false;
  } catch (error) {
    return isRefusal(error);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 404);
}

/** Makes the page follow a change to the person's role or teams. */
function rereadAll(queryClient: QueryClient, orgId: string): Promise<void> {
  const isOther = (queryKey: readonly unknown[]) => queryKey[0] !== 'role' && queryKey.includes(orgId);
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOther(queryKey) });
}

function nameOf(queryClient: QueryClient, orgId: string): string | undefined {
  const organizations: Organization[] = queryClient.getQueryData(organizationsQuery().queryKey) ?? [];
  return organizations.find(({ id }) => id === orgId)?.name;
}

/** Reports it, and keeps nothing that was loaded there. */
function forget(queryClient: QueryClient, orgId: string, name: string | undefined): void {
  toast.error({
    title: t('account.lostAccess'),
    message: name ? t('account.lostAccessText', { name }) : t('account.lostAccessHere'),
  });
  if (lastOrganization.get() === orgId) lastOrganization.remove();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(orgId) });
}
