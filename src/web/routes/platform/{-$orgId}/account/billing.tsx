import { createFileRoute } from '@tanstack/react-router';
import { BillingScreen } from '../../../../features/account/billing-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/billing')({
  component: BillingScreen,
  staticData: {
    name: 'platform-orgId-account-billing',
    title: 'billing.title',
    needs: 'organization.own',
  },
});
