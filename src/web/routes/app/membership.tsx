import { createFileRoute } from '@tanstack/react-router';
import { MembershipScreen } from '../../features/membership/membership-screen.tsx';

export const Route = createFileRoute('/app/membership')({
  component: MembershipScreen,
  staticData: {
    name: 'membership',
    title: 'app.membership',
    layout: 'app',
    guards: ['is-auth'],
  },
});
