import { createFileRoute } from '@tanstack/react-router';
import { AddWebsiteScreen } from '../../../../../../../features/knowledge/add-website-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/create/website')({
  component: AddWebsiteScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-create-website',
    title: 'knowledge.addWebsite',
    needs: 'agent.write',
  },
});
