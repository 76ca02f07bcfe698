import { createFileRoute } from '@tanstack/react-router';
import { MembersScreen } from '../../../../../features/members/members-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/members/')({
  component: MembersScreen,
  staticData: {
    name: 'platform-orgId-account-members',
    title: 'members.title',
  },
});
