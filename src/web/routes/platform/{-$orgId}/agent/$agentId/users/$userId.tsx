import { createFileRoute } from '@tanstack/react-router';
import { PrivacyPart } from '../../../../../../features/privacy/privacy-part.tsx';
import { UserScreen } from '../../../../../../features/end-users/user-screen.tsx';
import { UserNumbers } from '../../../../../../features/insights/user-numbers.tsx';
import { idParameter } from '../../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/users/$userId')({
  component: () => (
    <UserScreen
      numbers={<UserNumbers period={Route.useSearch().period} />}
      erase={<PrivacyPart name="EraseEndUser" />}
    />
  ),
  validateSearch: (search: { period?: string }) => search,
  staticData: {
    name: 'platform-orgId-agent-agentId-users-userId',
    title: 'endUsers.user',
    validate: idParameter('userId', 'user'),
  },
});
