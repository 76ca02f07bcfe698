import { createFileRoute } from '@tanstack/react-router';
import { MemberScreen } from '../../../../../features/members/member-screen.tsx';
import { idParameter } from '../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/account/members/$memberId')({
  component: MemberScreen,
  staticData: {
    name: 'platform-orgId-account-members-memberId',
    title: 'members.member',
    subject: 'member',
    validate: idParameter('memberId', 'member'),
  },
});
