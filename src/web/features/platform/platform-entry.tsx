import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { api } from '../../api.ts';
import { lastOrganization } from '../../current-organization.ts';
import { t } from '../../messages/t.ts';
import { organizationsQuery } from '../../queries.ts';
import { describeError, queryClient } from '../../query-client.ts';
import { referral, referralInput } from '../../referral.ts';
import { sessionState } from '../../session.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Leads to the agents of the person's organization, which is made first for somebody who has none. */
export function PlatformEntry() {
  const {
    data: orgId,
    error,
    refetch,
  } = useQuery({
    queryKey: ['platform-entry'],
    queryFn: findOrganization,
    gcTime: 0,
    staleTime: 0,
    retry: false,
    meta: { failure: 'getOrganization', quiet: true },
  });
  if (error) return <ErrorState message={describeError(error)} onRetry={() => void refetch()} />;
  if (!orgId) return <Skeleton shape="card" titled />;
  return <Navigate to="/platform/{-$orgId}/agent" params={{ orgId }} replace />;
}

/** Only an answer that says there is none makes an organization: a failed call throws and makes nothing. */
async function findOrganization(): Promise<string> {
  const organizations = await queryClient.fetchQuery({
    ...organizationsQuery(),
    staleTime: 0,
    meta: { quiet: true },
  });
  const last = lastOrganization.get();
  const found = organizations.find(({ id }) => id === last) ?? organizations[0];
  return found?.id ?? createOrganization();
}

async function createOrganization(): Promise<string> {
  const { user } = sessionState.get();
  const name = t('platform.organizationOf', { name: user?.name ?? '' });
  // The key makes two tabs that come here at the same time end up in one organization.
  const headers = { 'idempotency-key': `first-organization-${user?.uid}` };
  const input = { name: name.slice(0, 80).trim(), ...referralInput() };
  const { data } = await api.organization.create(input, { headers });
  referral.remove();
  await queryClient.invalidateQueries({ queryKey: ['organizations'] });
  return data.organization.id;
}
