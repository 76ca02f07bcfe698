import { createFileRoute, Navigate } from '@tanstack/react-router';
import { InstallScreen } from '../../../../../../../features/plugins/install-screen.tsx';
import { isType } from '../../../../../../../features/plugins/place.ts';

/** It is installed with a line in a site's own pages. */
const WIDGET = 'widget';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/install')({
  component: Install,
  staticData: {
    name: 'platform-orgId-agent-agentId-plugins-pluginHandle-install',
    title: 'plugins.install',
    needs: 'agent.write',
    validate: ({ pluginHandle }) => pluginHandle === WIDGET || isType(pluginHandle),
  },
});

function Install() {
  const { pluginHandle, ...agent } = Route.useParams();
  if (pluginHandle === WIDGET)
    return <Navigate to="/platform/{-$orgId}/agent/$agentId/settings/share" params={agent} replace />;
  return isType(pluginHandle) && <InstallScreen key={pluginHandle} type={pluginHandle} />;
}
