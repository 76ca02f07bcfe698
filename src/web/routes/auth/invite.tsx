import { createFileRoute } from '@tanstack/react-router';
import { InviteScreen } from '../../features/auth/invite-screen.tsx';

export const Route = createFileRoute('/auth/invite')({
  component: InviteScreen,
  validateSearch: (search): { token: string } => ({
    token: typeof search['token'] === 'string' ? search['token'] : '',
  }),
  staticData: { name: 'auth-invite', title: 'invite.page' },
});
