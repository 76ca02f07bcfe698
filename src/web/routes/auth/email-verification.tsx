import { createFileRoute } from '@tanstack/react-router';
import { EmailVerificationScreen } from '../../features/auth/email-verification-screen.tsx';

export const Route = createFileRoute('/auth/email-verification')({
  component: EmailVerificationScreen,
  validateSearch: (search): { token: string } => ({
    token: typeof search['token'] === 'string' ? search['token'] : '',
  }),
  staticData: { name: 'auth-email-verification', title: 'auth.confirming' },
});
