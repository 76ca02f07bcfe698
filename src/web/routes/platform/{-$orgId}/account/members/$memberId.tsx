import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/members/$memberId')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-account-members-memberId',
    title: 'later.member',
    purpose: 'later.memberPurpose',
  },
});
