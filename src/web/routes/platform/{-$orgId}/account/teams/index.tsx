import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/teams/')({
  component: LaterPage,
  staticData: { name: 'platform-orgId-account-teams', title: 'later.teams', purpose: 'later.teamsPurpose' },
});
