import { createFileRoute } from '@tanstack/react-router';
import { OrganizationInsightsScreen } from '../../../features/insights/organization-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/insights')({
  component: () => <OrganizationInsightsScreen period={Route.useSearch().period} />,
  validateSearch: (search: { period?: string }) => search,
  staticData: { name: 'platform-orgId-insights', title: 'insights.title' },
});
