import { createFileRoute } from '@tanstack/react-router';
import { PluginList } from '../../../../../../features/plugins/plugin-list.tsx';
import { ToolsScreen } from '../../../../../../features/tools/tools-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/')({
  component: () => <ToolsScreen plugins={<PluginList />} />,
  staticData: { name: 'platform-orgId-agent-agentId-plugins', title: 'tools.title' },
});
