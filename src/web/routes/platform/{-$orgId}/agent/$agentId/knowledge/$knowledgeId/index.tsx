import { createFileRoute } from '@tanstack/react-router';
import { KnowledgeItemScreen } from '../../../../../../../features/knowledge/knowledge-item-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId/')({
  component: KnowledgeItemScreen,
  staticData: { name: 'platform-orgId-agent-agentId-knowledge-knowledgeId', title: 'knowledge.item' },
});
