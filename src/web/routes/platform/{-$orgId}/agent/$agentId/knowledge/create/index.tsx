import { createFileRoute } from '@tanstack/react-router';
import { ChooseKnowledgeScreen } from '../../../../../../../features/knowledge/choose-knowledge-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/create/')({
  component: ChooseKnowledgeScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-create',
    title: 'knowledge.add',
    needs: 'agent.write',
  },
});
