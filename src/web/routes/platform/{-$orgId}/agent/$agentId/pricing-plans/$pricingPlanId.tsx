import { createFileRoute } from '@tanstack/react-router';
import { PlanScreen } from '../../../../../../features/selling/plan-screen.tsx';
import { idParameter } from '../../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/pricing-plans/$pricingPlanId')({
  component: PlanScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-pricing-plans-pricingPlanId',
    title: 'selling.plan',
    subject: 'product',
    validate: idParameter('pricingPlanId', 'product'),
  },
});
