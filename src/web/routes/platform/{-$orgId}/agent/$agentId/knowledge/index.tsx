import { createFileRoute } from '@tanstack/react-router';
import { KnowledgeScreen } from '../../../../../../features/knowledge/knowledge-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/')({
  component: KnowledgeScreen,
  staticData: { name: 'platform-orgId-agent-agentId-knowledge', title: 'knowledge.title' },
});
