import { createFileRoute } from '@tanstack/react-router';
import { PrivacyPart } from '../../../../../../features/privacy/privacy-part.tsx';
import { DangerScreen } from '../../../../../../features/settings/danger-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/danger')({
  component: () => <DangerScreen data={<PrivacyPart name="RetentionSection" />} />,
  staticData: {
    name: 'platform-orgId-agent-agentId-settings-danger',
    title: 'settings.danger',
    needs: 'agent.write',
  },
});
