import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '../../../../features/account/profile-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/profile')({
  component: ProfileScreen,
  staticData: { name: 'platform-orgId-account-profile', title: 'account.profile' },
});
