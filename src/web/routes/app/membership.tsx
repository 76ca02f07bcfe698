import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../layouts/later-page.tsx';

export const Route = createFileRoute('/app/membership')({
  component: LaterPage,
  staticData: {
    name: 'membership',
    title: 'app.membership',
    purpose: 'app.membershipPurpose',
    layout: 'app',
  },
});
