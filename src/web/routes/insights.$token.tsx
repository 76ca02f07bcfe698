import { createFileRoute } from '@tanstack/react-router';
import { PublicInsightsScreen } from '../features/insights/public-screen.tsx';

export const Route = createFileRoute('/insights/$token')({
  component: PublicInsights,
  validateSearch: (search: { period?: string }) => search,
  staticData: { name: 'insights', title: 'insights.title', layout: 'default' },
});

function PublicInsights() {
  return <PublicInsightsScreen period={Route.useSearch().period} />;
}
