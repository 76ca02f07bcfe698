import { createFileRoute } from '@tanstack/react-router';
import { InstructionsScreen } from '../../../../../../features/settings/instructions-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/instructions')({
  component: InstructionsScreen,
  staticData: { name: 'platform-orgId-agent-agentId-settings-instructions', title: 'settings.instructions' },
});
