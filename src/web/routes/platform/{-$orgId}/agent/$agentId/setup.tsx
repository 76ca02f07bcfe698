import { createFileRoute } from '@tanstack/react-router';
import { SetUpScreen } from '../../../../../features/agent/set-up-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/setup')({
  component: SetUpScreen,
  staticData: { name: 'platform-orgId-agent-agentId-setup', title: 'agent.setUpTitle' },
});
