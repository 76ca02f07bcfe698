import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/{-$pluginId}')(
  {
    component: LaterPage,
    staticData: {
      name: 'platform-orgId-agent-agentId-plugins-pluginHandle-pluginId',
      title: 'later.plugin',
      purpose: 'later.pluginPurpose',
    },
  },
);
