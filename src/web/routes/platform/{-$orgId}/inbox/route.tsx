import { createFileRoute } from '@tanstack/react-router';
import { InboxFrame } from '../../../../features/inbox/inbox-frame.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/inbox')({
  component: InboxFrame,
  staticData: { name: 'platform-orgId-inbox' },
});
