import { createFileRoute } from '@tanstack/react-router';
import { AddTextScreen } from '../../../../../../../features/knowledge/add-text-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/create/text')({
  component: AddTextScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-create-text',
    title: 'knowledge.addText',
    needs: 'agent.write',
  },
});
