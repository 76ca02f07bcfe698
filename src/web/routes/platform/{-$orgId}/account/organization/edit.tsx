import { createFileRoute } from '@tanstack/react-router';
import { OrganizationEditScreen } from '../../../../../features/account/organization-edit-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/organization/edit')({
  component: OrganizationEditScreen,
  staticData: {
    name: 'platform-orgId-account-organization-edit',
    title: 'account.organizationEdit',
    needs: 'organization.manage',
  },
});
