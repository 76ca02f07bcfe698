import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/install')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-plugins-pluginHandle-install',
    title: 'later.installPlugin',
    purpose: 'later.installPluginPurpose',
  },
});
