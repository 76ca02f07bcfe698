import { createFileRoute } from '@tanstack/react-router';
import { UsersScreen } from '../../../../../../features/end-users/users-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/users/')({
  component: UsersScreen,
  staticData: { name: 'platform-orgId-agent-agentId-users', title: 'endUsers.title' },
});
