import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/pricing-plans/$pricingPlanId')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-pricing-plans-pricingPlanId',
    title: 'later.pricingPlan',
    purpose: 'later.pricingPlanPurpose',
  },
});
