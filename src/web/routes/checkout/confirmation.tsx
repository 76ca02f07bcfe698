import { createFileRoute } from '@tanstack/react-router';
import { isId } from '../../../contract/id-format.ts';
import { PlanChosen } from '../../features/checkout/plan-chosen.tsx';
import { NotFoundPage } from '../../layouts/not-found-page.tsx';

export const Route = createFileRoute('/checkout/confirmation')({
  component: Confirmation,
  validateSearch: ({ organization }: Record<string, unknown>): { organization?: string } =>
    isId('organization', organization) ? { organization: String(organization) } : {},
  staticData: { name: 'checkout-confirmation', title: 'billing.confirmation', layout: 'default' },
});

function Confirmation() {
  const { organization } = Route.useSearch();
  return organization === undefined ? <NotFoundPage /> : <PlanChosen organizationId={organization} />;
}
