import { createFileRoute } from '@tanstack/react-router';
import { EditorScreen } from '../../../../../../../features/storefront/editor-screen.tsx';
import { idParameter } from '../../../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/storefront/$storefrontId/edit')({
  component: EditorScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-storefront-storefrontId-edit',
    title: 'storefront.edit',
    validate: idParameter('storefrontId', 'storefront'),
  },
});
