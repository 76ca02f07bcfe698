import { createFileRoute } from '@tanstack/react-router';
import { OrganizationPart } from '../../../features/insights/organization-part.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/insights')({
  component: () => <OrganizationPart period={Route.useSearch().period} />,
  validateSearch: (search: { period?: string }) => search,
  staticData: { name: 'platform-orgId-insights', title: 'insights.organization' },
});
