import { createFileRoute } from '@tanstack/react-router';
import { OnboardingScreen } from '../../../features/auth/onboarding-screen.tsx';

export const Route = createFileRoute('/auth/register/onboarding')({
  component: OnboardingScreen,
  staticData: { name: 'auth-register-onboarding', title: 'auth.welcome', guards: ['is-auth'] },
});
