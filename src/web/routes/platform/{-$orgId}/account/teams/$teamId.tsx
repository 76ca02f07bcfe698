import { createFileRoute } from '@tanstack/react-router';
import { TeamScreen } from '../../../../../features/teams/team-screen.tsx';
import { idParameter } from '../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/account/teams/$teamId')({
  component: TeamScreen,
  staticData: {
    name: 'platform-orgId-account-teams-teamId',
    title: 'teams.team',
    subject: 'team',
    validate: idParameter('teamId', 'team'),
  },
});
