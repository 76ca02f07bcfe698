import { createFileRoute } from '@tanstack/react-router';
import { KnowledgeItemScreen } from '../../../../../../../features/knowledge/knowledge-item-screen.tsx';
import { placeOf } from '../../../../../../../features/knowledge/place.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId/')({
  component: () => <KnowledgeItemScreen place={Route.useSearch()} />,
  validateSearch: placeOf,
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-knowledgeId',
    title: 'knowledge.item',
    subject: 'knowledge',
  },
});
