import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/profile/skins')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-settings-profile-skins',
    title: 'later.skins',
    purpose: 'later.skinsPurpose',
  },
});
