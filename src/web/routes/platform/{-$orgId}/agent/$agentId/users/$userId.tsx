import { createFileRoute } from '@tanstack/react-router';
import { PrivacyPart } from '../../../../../../features/privacy/privacy-part.tsx';
import { UserScreen } from '../../../../../../features/end-users/user-screen.tsx';
import { idParameter } from '../../../../../../valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/users/$userId')({
  component: () => <UserScreen erase={<PrivacyPart name="EraseEndUser" />} />,
  staticData: {
    name: 'platform-orgId-agent-agentId-users-userId',
    title: 'endUsers.user',
    validate: idParameter('userId', 'user'),
  },
});
