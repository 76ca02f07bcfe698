import { createFileRoute } from '@tanstack/react-router';
import { CreateAgentScreen } from '../../../../features/agents/create-agent-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/create')({
  component: CreateAgentScreen,
  staticData: { name: 'platform-orgId-agent-create', title: 'agents.create', needs: 'agent.write' },
});
