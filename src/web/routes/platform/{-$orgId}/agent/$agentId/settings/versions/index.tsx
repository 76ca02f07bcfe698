import { createFileRoute } from '@tanstack/react-router';
import { VersionsScreen } from '../../../../../../../features/versions/versions-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/versions/')({
  component: VersionsScreen,
  staticData: { name: 'platform-orgId-agent-agentId-settings-versions', title: 'versions.title' },
});
