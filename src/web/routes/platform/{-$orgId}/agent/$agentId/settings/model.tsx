import { createFileRoute } from '@tanstack/react-router';
import { EstimateSection } from '../../../../../../features/estimate/estimate-section.tsx';
import { ModelScreen } from '../../../../../../features/settings/model-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/model')({
  component: () => <ModelScreen more={<EstimateSection />} />,
  staticData: { name: 'platform-orgId-agent-agentId-settings-model', title: 'settings.model' },
});
