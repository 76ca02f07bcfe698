import { createFileRoute } from '@tanstack/react-router';
import { PlansScreen } from '../../../../../../features/selling/plans-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/pricing-plans/')({
  component: PlansScreen,
  staticData: { name: 'platform-orgId-agent-agentId-pricing-plans', title: 'selling.title' },
});
