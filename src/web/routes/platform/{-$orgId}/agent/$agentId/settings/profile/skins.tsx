import { createFileRoute } from '@tanstack/react-router';
import { SkinsScreen } from '../../../../../../../features/settings/skins-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/profile/skins')({
  component: SkinsScreen,
  staticData: { name: 'platform-orgId-agent-agentId-settings-profile-skins', title: 'looks.title' },
});
