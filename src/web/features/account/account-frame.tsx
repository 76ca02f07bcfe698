import { Outlet } from '@tanstack/react-router';
import { TabLinks } from '../../layouts/tab-links.tsx';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../route-params.ts';

const tabs = [
  { to: '/platform/{-$orgId}/account/profile', title: 'account.profile' },
  { to: '/platform/{-$orgId}/account/organization', title: 'account.organization' },
  { to: '/platform/{-$orgId}/account/members', title: 'later.members' },
  { to: '/platform/{-$orgId}/account/teams', title: 'later.teams' },
  { to: '/platform/{-$orgId}/account/billing', title: 'later.billing' },
] as const;

export function AccountFrame() {
  return (
    <>
      <TabLinks label={t('nav.account')} tabs={tabs} params={{ orgId: useOrgId() }} />
      <Outlet />
    </>
  );
}
