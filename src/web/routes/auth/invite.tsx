import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../layouts/later-page.tsx';

export const Route = createFileRoute('/auth/invite')({
  component: LaterPage,
  staticData: { name: 'auth-invite', title: 'later.invite', purpose: 'later.invitePurpose' },
});
