import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/users/$userId')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-users-userId',
    title: 'later.user',
    purpose: 'later.userPurpose',
  },
});
