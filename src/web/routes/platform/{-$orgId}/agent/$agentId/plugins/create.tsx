import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/create')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-plugins-create',
    title: 'later.addPlugin',
    needs: 'agent.write',
    purpose: 'later.addPluginPurpose',
  },
});
