import { Outlet } from '@tanstack/react-router';
import { TabLinks } from '../../layouts/tab-links.tsx';
import { t } from '../../messages/t.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const tabs = [
  { to: '/platform/{-$orgId}/agent/$agentId/settings/instructions', title: 'settings.instructions' },
  { to: '/platform/{-$orgId}/agent/$agentId/settings/model', title: 'settings.model' },
  { to: '/platform/{-$orgId}/agent/$agentId/settings/profile', title: 'settings.profile' },
  { to: '/platform/{-$orgId}/agent/$agentId/settings/profile/skins', title: 'looks.title' },
  { to: '/platform/{-$orgId}/agent/$agentId/settings/share', title: 'settings.share' },
  { to: '/platform/{-$orgId}/agent/$agentId/settings/versions', title: 'versions.title', nested: true },
  { to: '/platform/{-$orgId}/agent/$agentId/settings/tests', title: 'tests.title', nested: true },
  { to: '/platform/{-$orgId}/agent/$agentId/settings/danger', title: 'settings.danger' },
] as const;

export function SettingsFrame() {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  return (
    <>
      <PageHeader title={t('settings.title')} />
      <TabLinks label={t('settings.title')} tabs={tabs} params={params} />
      <Outlet />
    </>
  );
}
