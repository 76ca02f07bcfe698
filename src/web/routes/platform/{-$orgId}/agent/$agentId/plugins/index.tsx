import { createFileRoute } from '@tanstack/react-router';
import { ToolsScreen } from '../../../../../../features/tools/tools-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/')({
  component: ToolsScreen,
  staticData: { name: 'platform-orgId-agent-agentId-plugins', title: 'tools.title' },
});
