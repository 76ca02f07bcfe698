import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../layouts/later-page.tsx';

export const Route = createFileRoute('/checkout/confirmation')({
  component: LaterPage,
  staticData: { name: 'checkout-confirmation', title: 'later.checkout', purpose: 'later.checkoutPurpose' },
});
