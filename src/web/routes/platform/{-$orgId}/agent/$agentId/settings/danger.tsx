import { createFileRoute } from '@tanstack/react-router';
import { RetentionSection } from '../../../../../../features/privacy/retention-section.tsx';
import { DangerScreen } from '../../../../../../features/settings/danger-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/danger')({
  component: () => <DangerScreen data={<RetentionSection />} />,
  staticData: {
    name: 'platform-orgId-agent-agentId-settings-danger',
    title: 'settings.danger',
    needs: 'agent.write',
  },
});
