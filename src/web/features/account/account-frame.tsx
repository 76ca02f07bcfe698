import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { may } from '../../../contract/access.ts';
import { TabLinks } from '../../layouts/tab-links.tsx';
import { t } from '../../messages/t.ts';
import { roleQuery } from '../../queries/queries.ts';
import { useOrgId } from '../../routing/route-params.ts';

const tabs = [
  { to: '/platform/{-$orgId}/account/profile', title: 'account.profile' },
  { to: '/platform/{-$orgId}/account/organization', title: 'account.organization', nested: true },
  {
    to: '/platform/{-$orgId}/account/members',
    title: 'members.title',
    nested: true,
  },
  {
    to: '/platform/{-$orgId}/account/teams',
    title: 'teams.title',
    nested: true,
  },
  { to: '/platform/{-$orgId}/account/api-keys', title: 'apiKeys.title', needs: 'organization.manage' },
  { to: '/platform/{-$orgId}/account/models', title: 'models.title', needs: 'organization.manage' },
  { to: '/platform/{-$orgId}/account/audit', title: 'audit.title', needs: 'organization.manage' },
  { to: '/platform/{-$orgId}/account/billing', title: 'billing.title', needs: 'organization.own' },
] as const;

/** The pages about the person and the organization; those the role may not open are hidden. */
export function AccountFrame() {
  const orgId = useOrgId();
  const { data: role } = useQuery(roleQuery(orgId));
  const offered = tabs.filter((tab) => !('needs' in tab) || (role && may(role, tab.needs)));
  return (
    <>
      <TabLinks label={t('nav.account')} tabs={offered} params={{ orgId }} />
      <Outlet />
    </>
  );
}
