import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '../../features/account/profile-screen.tsx';

export const Route = createFileRoute('/app/account')({
  component: ProfileScreen,
  staticData: { name: 'account', title: 'app.account', layout: 'app', guards: ['is-auth'] },
});
