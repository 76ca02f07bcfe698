import { createFileRoute } from '@tanstack/react-router';
import { ModelsScreen } from '../../../../features/models/models-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/models')({
  component: ModelsScreen,
  staticData: {
    name: 'platform-orgId-account-models',
    title: 'models.title',
    needs: 'organization.manage',
  },
});
