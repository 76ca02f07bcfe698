import { createFileRoute } from '@tanstack/react-router';
import { AgentHomeScreen } from '../../../../../features/agent/agent-home-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/home')({
  component: AgentHomeScreen,
  staticData: { name: 'platform-orgId-agent-agentId-home', title: 'agent.home' },
});
