import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/teams/$teamId')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-account-teams-teamId',
    title: 'later.team',
    purpose: 'later.teamPurpose',
  },
});
