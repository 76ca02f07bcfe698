import { createFileRoute } from '@tanstack/react-router';
import { SignOutScreen } from '../../features/auth/sign-out-screen.tsx';

export const Route = createFileRoute('/auth/signout')({
  component: SignOutScreen,
  staticData: { name: 'auth-signout', title: 'auth.signingOut' },
});
