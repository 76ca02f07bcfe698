import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/members/')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-account-members',
    title: 'later.members',
    purpose: 'later.membersPurpose',
  },
});
