import { createFileRoute } from '@tanstack/react-router';
import { EditKnowledgeScreen } from '../../../../../../../features/knowledge/edit-knowledge-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId/edit')({
  component: EditKnowledgeScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-knowledgeId-edit',
    title: 'knowledge.edit',
    needs: 'agent.write',
  },
});
