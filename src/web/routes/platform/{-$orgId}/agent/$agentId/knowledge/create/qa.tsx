import { createFileRoute } from '@tanstack/react-router';
import { AddPairScreen } from '../../../../../../../features/knowledge/add-pair-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/create/qa')({
  component: AddPairScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-create-qa',
    title: 'knowledge.addPair',
    needs: 'agent.write',
  },
});
