import { createFileRoute } from '@tanstack/react-router';
import { idParameter } from '../../../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId')({
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-knowledgeId-frame',
    validate: idParameter('knowledgeId', 'knowledge'),
  },
});
