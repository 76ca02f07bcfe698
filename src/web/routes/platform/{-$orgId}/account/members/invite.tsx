import { createFileRoute } from '@tanstack/react-router';
import { InviteMembersScreen } from '../../../../../features/members/invite-members-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/members/invite')({
  component: InviteMembersScreen,
  staticData: {
    name: 'platform-orgId-account-members-invite',
    title: 'members.invite',
    needs: 'organization.manage',
  },
});
