import { createFileRoute } from '@tanstack/react-router';
import { ApiKeysScreen } from '../../../../features/api-keys/api-keys-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/api-keys')({
  component: ApiKeysScreen,
  staticData: {
    name: 'platform-orgId-account-api-keys',
    title: 'apiKeys.title',
    needs: 'organization.manage',
  },
});
