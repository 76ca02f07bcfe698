import { createFileRoute } from '@tanstack/react-router';
import { UnansweredList } from '../../../../../features/improvement/unanswered-list.tsx';
import { InsightsScreen } from '../../../../../features/insights/insights-screen.tsx';
import { useAgentId } from '../../../../../routing/route-params.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/insights')({
  component: Insights,
  validateSearch: (search: { period?: string }) => search,
  staticData: { name: 'platform-orgId-agent-agentId-insights', title: 'insights.title' },
});

function Insights() {
  const agentId = useAgentId();
  return (
    <InsightsScreen period={Route.useSearch().period} unanswered={<UnansweredList agentId={agentId} />} />
  );
}
