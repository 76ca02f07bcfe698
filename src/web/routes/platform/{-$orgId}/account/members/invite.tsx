import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/members/invite')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-account-members-invite',
    title: 'later.inviteMember',
    purpose: 'later.inviteMemberPurpose',
  },
});
