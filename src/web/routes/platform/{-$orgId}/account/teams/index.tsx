import { createFileRoute } from '@tanstack/react-router';
import { TeamsScreen } from '../../../../../features/teams/teams-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/teams/')({
  component: TeamsScreen,
  staticData: {
    name: 'platform-orgId-account-teams',
    title: 'teams.title',
  },
});
