import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/insights')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-insights',
    title: 'later.insights',
    purpose: 'later.insightsPurpose',
  },
});
