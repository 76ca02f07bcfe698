import { createFileRoute } from '@tanstack/react-router';
import { AddKnowledgeFrame } from '../../../../../../../features/knowledge/add-knowledge-frame.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/create')({
  component: AddKnowledgeFrame,
  staticData: { name: 'platform-orgId-agent-agentId-knowledge-create-frame' },
});
