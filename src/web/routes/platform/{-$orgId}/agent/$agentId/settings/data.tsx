import { createFileRoute } from '@tanstack/react-router';
import { RetentionScreen } from '../../../../../../features/privacy/retention-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/data')({
  component: RetentionScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-settings-data',
    title: 'settings.data',
  },
});
