import { createFileRoute } from '@tanstack/react-router';
import { ShareScreen } from '../../../../../../features/settings/share-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/share')({
  component: ShareScreen,
  staticData: { name: 'platform-orgId-agent-agentId-settings-share', title: 'settings.share' },
});
