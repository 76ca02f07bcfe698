import { createFileRoute } from '@tanstack/react-router';
import { GoogleScreen } from '../../features/auth/google-screen.tsx';

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const Route = createFileRoute('/auth/google')({
  component: GoogleScreen,
  validateSearch: (search): { code: string; state: string; error: string; iss?: string; popup?: true } => ({
    code: textOf(search['code']),
    state: textOf(search['state']),
    error: textOf(search['error']),
    ...(typeof search['iss'] === 'string' && { iss: search['iss'] }),
    ...(String(search['popup']) === 'true' && { popup: true }),
  }),
  staticData: { name: 'auth-google', title: 'auth.googleTitle' },
});
