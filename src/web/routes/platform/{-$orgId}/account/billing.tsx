import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/billing')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-account-billing',
    title: 'later.billing',
    purpose: 'later.billingPurpose',
  },
});
