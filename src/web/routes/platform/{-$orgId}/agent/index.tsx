import { createFileRoute } from '@tanstack/react-router';
import { AgentsScreen } from '../../../../features/agents/agents-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/')({
  component: AgentsScreen,
  staticData: { name: 'platform-orgId-agent', title: 'nav.agents' },
});
