import { createFileRoute } from '@tanstack/react-router';
import { isId } from '../../../contract/id-format.ts';
import { Bought } from '../../features/checkout/bought.tsx';
import { PlanChosen } from '../../features/checkout/plan-chosen.tsx';
import { NotFoundPage } from '../../layouts/not-found-page.tsx';
import { PerPerson } from '../../session/per-person.tsx';

export const Route = createFileRoute('/checkout/confirmation')({
  component: () => (
    <PerPerson>
      <Confirmation />
    </PerPerson>
  ),
  validateSearch: ({ purchase, organization }: Record<string, unknown>): Confirmed => ({
    ...(isId('purchase', purchase) && { purchase: String(purchase) }),
    ...(isId('organization', organization) && { organization: String(organization) }),
  }),
  staticData: { name: 'checkout-confirmation', title: 'checkout.title', layout: 'default' },
});

/** What was paid for: a product of an agent, or an organization's plan. */
interface Confirmed {
  purchase?: string;
  organization?: string;
}

function Confirmation() {
  const { purchase, organization } = Route.useSearch();
  if (purchase !== undefined) return <Bought purchaseId={purchase} />;
  return organization === undefined ? <NotFoundPage /> : <PlanChosen organizationId={organization} />;
}
