import { createFileRoute } from '@tanstack/react-router';
import { AgentProfileScreen } from '../../../../../../../features/settings/agent-profile-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/profile/')({
  component: AgentProfileScreen,
  staticData: { name: 'platform-orgId-agent-agentId-settings-profile', title: 'settings.profile' },
});
