import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/storefront/')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-storefront',
    title: 'later.storefront',
    purpose: 'later.storefrontPurpose',
  },
});
