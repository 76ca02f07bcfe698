import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { ApiError } from '../../../contract/client.ts';
import { cutText } from '../../../contract/cut-text.ts';
import type { Organization } from '../../../contract/organization.ts';
import { api } from '../../api/api.ts';
import { lastOrganization } from '../../session/current-organization.ts';
import { t } from '../../messages/t.ts';
import { organizationsQuery } from '../../queries/queries.ts';
import { describeError, queryClient } from '../../queries/query-client.ts';
import { referral, referralInput } from '../../session/referral.ts';
import { sessionState } from '../../session/session.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Leads to the agents of the person's organization; if one was just created, because they had none, to its first agent. */
export function PlatformEntry() {
  const {
    data: found,
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
  if (!found) return <Skeleton shape="card" titled />;
  const { orgId, isNew } = found;
  return <Navigate to={`/platform/{-$orgId}/agent${isNew ? '/create' : ''}`} params={{ orgId }} replace />;
}

/** Only a response that says there is none leads to a new organization: a failed call throws and creates nothing. */
async function findOrganization(): Promise<{ orgId: string; isNew: boolean }> {
  const organizations = await readOrganizations();
  const last = lastOrganization.get();
  const found = organizations.find(({ id }) => id === last) ?? organizations[0];
  return { orgId: found?.id ?? (await createOrganization()), isNew: !found };
}

function readOrganizations(): Promise<Organization[]> {
  return queryClient.fetchQuery({ ...organizationsQuery(), staleTime: 0, meta: { quiet: true } });
}

const TRIES_MAX = 20;
const AGAIN_MS = 300;

/**
 * The idempotency key makes two tabs that get here at the same time end up in one organization. It is remembered for a
 * day: if what it created is gone by now, or had a different name, the next key is used.
 */
async function createOrganization(): Promise<string> {
  const { user } = sessionState.get();
  const name = cutText(t('platform.organizationOf', { name: user?.name ?? '' }), 80).trim();
  for (let [tries, key] = [0, 0]; tries < TRIES_MAX; tries += 1) {
    const headers = { 'idempotency-key': `first-organization-${user?.uid}-${key}` };
    const refusal = await api.organization
      .create({ name, ...referralInput() }, { headers })
      .then(() => undefined, refusalOfKey);
    if (refusal === 'idempotency/in-progress') await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    else key += 1;
    const [made] = await readOrganizations();
    if (!made) continue;
    referral.remove();
    return made.id;
  }
  throw new Error('Every key was used for an organization that is gone.');
}

function refusalOfKey(error: unknown): string {
  if (error instanceof ApiError && error.code.startsWith('idempotency/')) return error.code;
  throw error;
}
