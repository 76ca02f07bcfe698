import { createFileRoute } from '@tanstack/react-router';
import { StorefrontScreen } from '../../../../../../features/storefront/storefront-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/storefront/')({
  component: StorefrontScreen,
  staticData: { name: 'platform-orgId-agent-agentId-storefront', title: 'storefront.title' },
});
