import { createFileRoute } from '@tanstack/react-router';
import { EmailConfirmationScreen } from '../../features/auth/email-confirmation-screen.tsx';

export const Route = createFileRoute('/auth/email-confirmation')({
  component: EmailConfirmationScreen,
  staticData: { name: 'auth-email-confirmation', title: 'auth.checkMail' },
});
