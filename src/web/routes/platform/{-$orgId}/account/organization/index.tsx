import { createFileRoute } from '@tanstack/react-router';
import { OrganizationExport } from '../../../../../features/privacy/export-section.tsx';
import { OrganizationScreen } from '../../../../../features/account/organization-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/organization/')({
  component: () => <OrganizationScreen data={<OrganizationExport />} />,
  staticData: { name: 'platform-orgId-account-organization', title: 'account.organization' },
});
