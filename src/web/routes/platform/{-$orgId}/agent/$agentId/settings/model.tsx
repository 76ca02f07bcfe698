import { createFileRoute } from '@tanstack/react-router';
import { ModelScreen } from '../../../../../../features/settings/model-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/model')({
  component: ModelScreen,
  staticData: { name: 'platform-orgId-agent-agentId-settings-model', title: 'settings.model' },
});
