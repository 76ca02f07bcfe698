import { createFileRoute } from '@tanstack/react-router';
import { SignInScreen } from '../../features/auth/sign-in-screen.tsx';

export const Route = createFileRoute('/auth/')({
  component: SignInScreen,
  validateSearch: (search): { signup?: true } =>
    String(search['signup']) === 'true' ? { signup: true } : {},
  staticData: { name: 'auth', title: 'auth.title' },
});
