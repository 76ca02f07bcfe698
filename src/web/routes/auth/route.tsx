import { createFileRoute } from '@tanstack/react-router';
import { AuthFrame } from '../../features/auth/auth-frame.tsx';

export const Route = createFileRoute('/auth')({
  component: AuthFrame,
  staticData: { name: 'auth-frame', layout: 'default' },
});
