import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/$pluginId')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-plugins-pluginId',
    title: 'later.plugin',
    purpose: 'later.pluginPurpose',
  },
});
