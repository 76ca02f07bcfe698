import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/storefront/$storefrontId/edit')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-storefront-storefrontId-edit',
    title: 'later.storefrontEdit',
    purpose: 'later.storefrontEditPurpose',
  },
});
