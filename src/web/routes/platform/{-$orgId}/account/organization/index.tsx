import { createFileRoute } from '@tanstack/react-router';
import { OrganizationScreen } from '../../../../../features/account/organization-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/organization/')({
  component: OrganizationScreen,
  staticData: { name: 'platform-orgId-account-organization', title: 'account.organization' },
});
