import { createFileRoute } from '@tanstack/react-router';
import { NoneOpen } from '../../../../features/inbox/inbox-frame.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/inbox/')({
  component: NoneOpen,
  staticData: { name: 'platform-orgId-inbox-list', title: 'inbox.title' },
});
