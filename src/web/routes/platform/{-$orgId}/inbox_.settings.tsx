import { createFileRoute } from '@tanstack/react-router';
import { InboxSettings } from '../../../features/inbox/inbox-settings.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/inbox_/settings')({
  component: InboxSettings,
  staticData: {
    name: 'platform-orgId-inbox-settings',
    title: 'inbox.settingsTitle',
    needs: 'agent.write',
  },
});
