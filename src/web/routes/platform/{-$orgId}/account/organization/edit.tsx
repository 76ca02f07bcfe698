import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/organization/edit')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-account-organization-edit',
    title: 'later.organizationEdit',
    purpose: 'later.organizationEditPurpose',
  },
});
