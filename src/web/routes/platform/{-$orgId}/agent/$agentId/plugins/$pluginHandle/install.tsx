import { createFileRoute } from '@tanstack/react-router';
import { InstallScreen } from '../../../../../../../features/plugins/install-screen.tsx';
import { isType } from '../../../../../../../features/plugins/place.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/install')({
  component: Install,
  staticData: {
    name: 'platform-orgId-agent-agentId-plugins-pluginHandle-install',
    title: 'plugins.install',
    needs: 'agent.write',
    validate: ({ pluginHandle }) => isType(pluginHandle),
  },
});

function Install() {
  const { pluginHandle } = Route.useParams();
  return isType(pluginHandle) && <InstallScreen key={pluginHandle} type={pluginHandle} />;
}
