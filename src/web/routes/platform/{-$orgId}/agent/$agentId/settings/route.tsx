import { createFileRoute } from '@tanstack/react-router';
import { SettingsFrame } from '../../../../../../features/settings/settings-frame.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings')({
  component: SettingsFrame,
  staticData: { name: 'platform-orgId-agent-agentId-settings-frame' },
});
