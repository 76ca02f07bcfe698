import { createFileRoute } from '@tanstack/react-router';
import { InsightsScreen } from '../../../../../features/insights/insights-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/insights')({
  component: () => <InsightsScreen period={Route.useSearch().period} />,
  validateSearch: (search: { period?: string }) => search,
  staticData: { name: 'platform-orgId-agent-agentId-insights', title: 'insights.title' },
});
