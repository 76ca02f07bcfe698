import { createFileRoute } from '@tanstack/react-router';
import { PrivacyPart } from '../../../../../features/privacy/privacy-part.tsx';
import { OrganizationScreen } from '../../../../../features/account/organization-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/organization/')({
  component: () => <OrganizationScreen data={<PrivacyPart name="OrganizationExport" />} />,
  staticData: { name: 'platform-orgId-account-organization', title: 'account.organization' },
});
