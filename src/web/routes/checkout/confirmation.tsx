import { createFileRoute } from '@tanstack/react-router';
import { isId } from '../../../contract/id-format.ts';
import { Bought } from '../../features/checkout/bought.tsx';
import { NotFoundPage } from '../../layouts/not-found-page.tsx';

export const Route = createFileRoute('/checkout/confirmation')({
  component: Confirmation,
  validateSearch: ({ purchase }: Record<string, unknown>): { purchase?: string } =>
    isId('purchase', purchase) ? { purchase: String(purchase) } : {},
  staticData: { name: 'checkout-confirmation', title: 'checkout.title', layout: 'default' },
});

function Confirmation() {
  const { purchase } = Route.useSearch();
  return purchase === undefined ? <NotFoundPage /> : <Bought purchaseId={purchase} />;
}
