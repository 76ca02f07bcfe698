import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usageQuery } from '../queries/billing-queries.ts';
import { t } from '../messages/t.ts';
import { Callout } from '../ui/callout.tsx';
import { useMay } from '../session/use-role.ts';

type Kind = 'agents' | 'members';

/** Whether the plan has no room for another one: checked before somebody fills in a form. */
export function useIsFull(orgId: string, kind: Kind): boolean {
  const { data: usage } = useQuery({ ...usageQuery(orgId), staleTime: 0 });
  return usage !== undefined && usage.plan !== null && usage.counts[kind] >= usage.plan[kind];
}

export function NoRoom({ orgId, kind }: { orgId: string; kind: Kind }) {
  const isOwner = useMay(orgId, 'organization.own');
  return (
    <Callout>
      {t(`${kind}.full`)}{' '}
      {isOwner && (
        <Link to="/platform/{-$orgId}/account/billing" params={{ orgId }}>
          {t('billing.bannerOwner')}
        </Link>
      )}
    </Callout>
  );
}
